{{- define "component.labels" -}}
simulator.deploy-ops.test/application: {{ .Release.Name }}
simulator.deploy-ops.test/release: {{ .Values.release | quote }}
{{- end }}

{{- define "component.selector" -}}
simulator.deploy-ops.test/application: {{ .Release.Name }}
{{- end }}
