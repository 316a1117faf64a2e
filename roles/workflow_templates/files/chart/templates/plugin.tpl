# Runs once for each workflow, as a sidecar of its agent pod.
apiVersion: v1
kind: ConfigMap
metadata:
  name: deploy-ops-executor-plugin
  labels:
    workflows.argoproj.io/configmap-type: ExecutorPlugin
data:
  sidecar.automountServiceAccountToken: "true"
  sidecar.container: |
    name: deploy-ops
    image: {{ .Values.gate.image | quote }}
    imagePullPolicy: {{ .Values.gate.pullPolicy }}
    command: [python3, -c]
    args:
      - {{ .Values.gate.loader | quote }}
      - serve
    env:
      - name: DEPLOY_OPS_GATE
        value: {{ .Values.gate.archive | quote }}
      - name: ARGOCD_SERVER
        value: {{ .Values.argocd.url | quote }}
      - name: ARGOCD_TOKEN
        valueFrom:
          secretKeyRef: {name: {{ .Values.argocd.tokenSecret }}, key: token}
      # The account that may delete. Only a teardown uses it.
      - name: ARGOCD_TEARDOWN_TOKEN
        valueFrom:
          secretKeyRef: {name: {{ .Values.argocd.teardownTokenSecret }}, key: token, optional: true}
      - name: ARGOCD_CA
        value: {{ .Values.argocd.ca | quote }}
    ports:
      - containerPort: 4355
    resources: {{- toYaml .Values.gate.resources | nindent 6 }}
    securityContext:
      # The agent's token file belongs to this user.
      runAsUser: 8737
      runAsNonRoot: true
      readOnlyRootFilesystem: true
      allowPrivilegeEscalation: false
      capabilities:
        drop: [ALL]
      seccompProfile:
        type: RuntimeDefault
