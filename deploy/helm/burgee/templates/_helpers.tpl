{{- define "burgee.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "burgee.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "burgee.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "burgee.selector" . }}
{{- end -}}

{{- define "burgee.secretName" -}}
{{- .Values.existingSecret | default (include "burgee.name" .) -}}
{{- end -}}

{{/* The names of the secrets that are mounted, as a comma list. */}}
{{- define "burgee.secretKeys" -}}
{{- if .Values.existingSecret -}}
{{- join "," (sortAlpha .Values.existingSecretKeys) -}}
{{- else -}}
{{- join "," (sortAlpha (keys .Values.secrets)) -}}
{{- end -}}
{{- end -}}
