# The plugin looks at what the bootstrap installed and at CustomResourceDefinitions. It changes nothing by this account.
apiVersion: v1
kind: ServiceAccount
metadata:
  name: deploy-ops-executor-plugin
---
apiVersion: v1
kind: Secret
metadata:
  # The name under which the workflow controller looks for it
  name: deploy-ops-executor-plugin.service-account-token
  annotations:
    kubernetes.io/service-account.name: deploy-ops-executor-plugin
type: kubernetes.io/service-account-token
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: deploy-ops-executor-plugin
rules:
  - apiGroups: [apps]
    resources: [deployments, statefulsets, daemonsets]
    verbs: [get, list]
  - apiGroups: [""]
    resources: [pods]
    verbs: [get, list]
  - apiGroups: [apiextensions.k8s.io]
    resources: [customresourcedefinitions]
    verbs: [get, list]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: deploy-ops-executor-plugin
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: deploy-ops-executor-plugin
subjects:
  - kind: ServiceAccount
    name: deploy-ops-executor-plugin
    namespace: {{ .Release.Namespace }}
