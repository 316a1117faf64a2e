# Without a finalizer: whoever removes Root by hand does not remove the platform.
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: {{ .Values.project }}-root
spec:
  project: {{ .Values.project }}-root
  source:
    repoURL: {{ .Values.repository | quote }}
    # Quoted: a commit can be all digits.
    targetRevision: {{ .Values.root.revision | toString | quote }}
    path: {{ .Values.root.path }}
    {{- if or .Values.root.values .Values.root.parameters }}
    helm:
      {{- with .Values.root.values }}
      valuesObject: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.root.parameters }}
      parameters: {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
  destination:
    server: https://kubernetes.default.svc
    namespace: {{ .Release.Namespace }}
  {{- with .Values.root.syncPolicy }}
  syncPolicy: {{- toYaml . | nindent 4 }}
  {{- end }}
