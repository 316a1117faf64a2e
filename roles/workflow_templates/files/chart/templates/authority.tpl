# Who may sync the platform: the workflow (deny window on the AppProject), or Argo CD by itself.
apiVersion: argoproj.io/v1alpha1
kind: ClusterWorkflowTemplate
metadata:
  name: authority
spec:
  templates:
    {{- range list "take" "release" }}
    - name: {{ . }}
      inputs:
        parameters:
          - name: project
      {{- include "retries" $ | nindent 6 }}
      plugin:
        deploy-ops:
          do: {{ . }}-authority
          project: "{{ "{{inputs.parameters.project}}" }}"
      outputs:
        parameters:
          - name: verdict
            valueFrom: {supplied: {}}
    {{- end }}

    - name: refuse
      inputs:
        parameters:
          - name: message
      plugin:
        deploy-ops:
          do: refuse
          message: "{{ "{{inputs.parameters.message}}" }}"
