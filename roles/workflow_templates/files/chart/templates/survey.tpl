# Look at everything that a run is for before it starts, and change nothing.
apiVersion: argoproj.io/v1alpha1
kind: ClusterWorkflowTemplate
metadata:
  name: survey
spec:
  templates:
    - name: survey
      inputs:
        parameters:
          - name: project
          - name: scope
          - name: nodes
          - {name: settle_seconds, value: "3"}
      {{- include "retries" . | nindent 6 }}
      plugin:
        deploy-ops:
          do: survey
          {{- range list "project" "scope" "nodes" "settle_seconds" }}
          {{ . }}: "{{ printf "{{inputs.parameters.%s}}" . }}"
          {{- end }}
      outputs:
        parameters:
          - name: verdict
            valueFrom: {supplied: {}}
          - name: revisions
            valueFrom: {supplied: {}}
