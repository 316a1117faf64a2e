# Sync one Application, wait until it is Healthy, say what became of it.
apiVersion: argoproj.io/v1alpha1
kind: ClusterWorkflowTemplate
metadata:
  name: sync-and-wait
spec:
  templates:
    - name: sync-and-wait
      inputs:
        parameters:
          - name: application
          - name: project
          - {name: revision, value: ""}
          - {name: resolved, value: ""}
          - {name: sync_timeout_seconds, value: "300"}
          - {name: health_timeout_seconds, value: "300"}
          - {name: settle_seconds, value: "3"}
          - {name: attempts, value: "3"}
          - {name: backoff_seconds, value: "10"}
      synchronization:
        semaphores:
          - configMapKeyRef: {name: deploy-ops-limits, key: parallelism}
      {{- include "retries" . | nindent 6 }}
      plugin:
        deploy-ops:
          do: sync
          {{- range list "application" "project" "revision" "resolved" "sync_timeout_seconds" "health_timeout_seconds" "settle_seconds" "attempts" "backoff_seconds" }}
          {{ . }}: "{{ printf "{{inputs.parameters.%s}}" . }}"
          {{- end }}
