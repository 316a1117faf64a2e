{{- $live := lookup "argoproj.io/v1alpha1" "AppProject" .Release.Namespace .Values.project }}
# The applications of the platform.
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata:
  name: {{ .Values.project }}
spec:
  description: The platform's applications
  sourceRepos:
    - {{ required "repository: the address of the platform's repository is needed" .Values.repository | quote }}
    {{- range .Values.sourceRepositories }}
    - {{ . | quote }}
    {{- end }}
  destinations:
    {{- range .Values.namespaces }}
    - server: https://kubernetes.default.svc
      namespace: {{ . }}
    {{- end }}
  clusterResourceWhitelist: {{- toYaml .Values.clusterResources | nindent 4 }}
  {{- /* Born locked: nothing syncs by itself before the first run. From then on the lock belongs to the runs. */}}
  {{- if not $live }}
  syncWindows: {{- list .Values.lock | toYaml | nindent 4 }}
  {{- else }}
  {{- with $live.spec.syncWindows }}
  syncWindows: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
