{{ toYaml .Values.template }}
