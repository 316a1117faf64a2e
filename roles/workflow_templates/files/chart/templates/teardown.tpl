# Remove one Application and see all of it gone. The rights for that come with the release platform-teardown, and go with it.
apiVersion: argoproj.io/v1alpha1
kind: ClusterWorkflowTemplate
metadata:
  name: teardown
spec:
  templates:
    - name: remove
      inputs:
        parameters:
          - name: application
          - name: project
          - {name: delete_timeout_seconds, value: "300"}
          # What it had, the claims that go after it, the volumes that go with them: "Kind /path;Kind /path"
          - {name: resources, value: ""}
          - {name: claims, value: ""}
          - {name: volumes, value: ""}
      synchronization:
        semaphores:
          - configMapKeyRef: {name: deploy-ops-limits, key: parallelism}
      {{- include "retries" . | nindent 6 }}
      plugin:
        deploy-ops:
          do: remove
          {{- range list "application" "project" "delete_timeout_seconds" "resources" "claims" "volumes" }}
          {{ . }}: "{{ printf "{{inputs.parameters.%s}}" . }}"
          {{- end }}

    # Nothing of a kind is left: what serves it may go
    - name: vacant
      inputs:
        parameters:
          - name: reference
          - {name: health_timeout_seconds, value: "300"}
      {{- include "retries" . | nindent 6 }}
      plugin:
        deploy-ops:
          do: vacant
          {{- range list "reference" "health_timeout_seconds" }}
          {{ . }}: "{{ printf "{{inputs.parameters.%s}}" . }}"
          {{- end }}

    - name: keep
      inputs:
        parameters:
          - name: message
      {{- include "retries" . | nindent 6 }}
      plugin:
        deploy-ops:
          do: keep
          message: "{{ "{{inputs.parameters.message}}" }}"
