# Look whether something stands, and change nothing.
apiVersion: argoproj.io/v1alpha1
kind: ClusterWorkflowTemplate
metadata:
  name: validate
spec:
  templates:
    - name: application
      inputs:
        parameters:
          - name: application
          - name: project
      {{- include "retries" . | nindent 6 }}
      plugin:
        deploy-ops:
          do: verify
          {{- range list "application" "project" }}
          {{ . }}: "{{ printf "{{inputs.parameters.%s}}" . }}"
          {{- end }}

    # A kind that an operator brings, or one object of it
    - name: resource
      inputs:
        parameters:
          - name: reference
          - name: providers
          - name: project
          - {name: health_timeout_seconds, value: "300"}
      {{- include "retries" . | nindent 6 }}
      plugin:
        deploy-ops:
          do: resource
          {{- range list "reference" "providers" "project" "health_timeout_seconds" }}
          {{ . }}: "{{ printf "{{inputs.parameters.%s}}" . }}"
          {{- end }}

    # What the bootstrap installed
    - name: bootstrap
      inputs:
        parameters:
          - name: namespace
          - name: release
      {{- include "retries" . | nindent 6 }}
      plugin:
        deploy-ops:
          do: bootstrap
          {{- range list "namespace" "release" }}
          {{ . }}: "{{ printf "{{inputs.parameters.%s}}" . }}"
          {{- end }}
