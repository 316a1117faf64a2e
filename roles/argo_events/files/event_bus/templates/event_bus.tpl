apiVersion: argoproj.io/v1alpha1
kind: EventBus
metadata:
  name: default
spec:
  jetstream:
    version: {{ .Values.version | quote }}
    replicas: {{ .Values.replicas }}
    # A stream with more copies than the bus has servers cannot be placed.
    streamConfig: |
      replicas: {{ .Values.replicas }}
    {{- with .Values.storageClass }}
    persistence:
      storageClassName: {{ . }}
      accessMode: ReadWriteOnce
      volumeSize: {{ $.Values.storageSize }}
    {{- end }}
    {{- with .Values.imagePullSecrets }}
    imagePullSecrets: {{- toYaml . | nindent 6 }}
    {{- end }}
    securityContext:
      runAsNonRoot: true
      runAsUser: 1000
      fsGroup: 1000
    {{- with .Values.containerSecurityContext }}
    containerTemplate:
      securityContext: {{- toYaml . | nindent 8 }}
    metricsContainerTemplate:
      securityContext: {{- toYaml . | nindent 8 }}
    reloaderContainerTemplate:
      securityContext: {{- toYaml . | nindent 8 }}
    {{- end }}
