# Argo's own parallelism counts pods and dags, and no plugin node: the limit is a semaphore of sync-and-wait.
apiVersion: v1
kind: ConfigMap
metadata:
  name: deploy-ops-limits
data:
  parallelism: {{ .Values.parallelism | quote }}
