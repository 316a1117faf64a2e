{{/* Error is a lost agent, not a verdict: only that is tried again. The gate retries what concerns Argo CD itself. */}}
{{- define "retries" -}}
retryStrategy:
  limit: "3"
  retryPolicy: OnError
  backoff:
    duration: 2s
    factor: "2"
{{- end -}}
