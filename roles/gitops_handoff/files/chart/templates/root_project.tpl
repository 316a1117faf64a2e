# Root alone. It may create Applications in Argo CD's namespace, and nothing else. The lock does not hold it.
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata:
  name: {{ .Values.project }}-root
spec:
  description: The Root Application
  sourceRepos:
    - {{ .Values.repository | quote }}
  destinations:
    - server: https://kubernetes.default.svc
      namespace: {{ .Release.Namespace }}
  clusterResourceWhitelist: []
  namespaceResourceWhitelist:
    - group: argoproj.io
      kind: Application
