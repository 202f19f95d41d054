{{- define "sagascript.name" -}}
{{ .Release.Name }}
{{- end }}

{{- define "sagascript.labels" -}}
{{ include "sagascript.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- /* Labels of all our pods; `component` names the process. */ -}}
{{- define "sagascript.selector" -}}
app.kubernetes.io/name: sagascript
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sagascript.image" -}}
image: {{ printf "%ssagascript-%s:%s" .root.Values.images.registry .name (.root.Values.images.tag | toString) }}
imagePullPolicy: {{ .root.Values.images.pullPolicy }}
{{- end }}

{{- define "sagascript.pod" -}}
{{- with .Values.images.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "sagascript.container" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- define "sagascript.secretEnv" -}}
- name: {{ .name }}
  valueFrom: {secretKeyRef: {name: {{ .secret }}, key: {{ .key }}}}
{{- end }}

{{- /* What every process may know, GPU nodes included. */ -}}
{{- define "sagascript.sharedEnv" -}}
{{- $root := . -}}
- {name: HOME, value: /tmp}
- {name: SAGASCRIPT_DATA_DIR, value: /data}
- {name: SAGASCRIPT_WORK_DIR, value: /work}
- {name: SAGASCRIPT_MODELS_DIR, value: /models}
- {name: SAGASCRIPT_PROFILE, value: /etc/sagascript/profile.yaml}
- {name: SAGASCRIPT_LOG_FORMAT, value: json}
- {name: SAGASCRIPT_STORAGE_URL, value: {{ .Values.storage.url | quote }}}
{{- with .Values.storage.endpoint }}
- {name: SAGASCRIPT_STORAGE_ENDPOINT, value: {{ . | quote }}}
{{- end }}
{{- with .Values.storage.region }}
- {name: SAGASCRIPT_STORAGE_REGION, value: {{ . | quote }}}
{{- end }}
{{ include "sagascript.secretEnv" (dict "name" "AWS_ACCESS_KEY_ID" "secret" .Values.secrets.storage "key" "access-key-id") }}
{{ include "sagascript.secretEnv" (dict "name" "AWS_SECRET_ACCESS_KEY" "secret" .Values.secrets.storage "key" "secret-access-key") }}
{{- range $name, $value := .Values.settings }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end }}

{{- /* Web process, upload server, relay, dispatcher and migration. Their secrets are listed where each runs. */ -}}
{{- define "sagascript.controlEnv" -}}
- {name: SAGASCRIPT_HOST, value: 0.0.0.0}
- {name: SAGASCRIPT_PUBLIC_URL, value: {{ required "publicUrl is needed: the address people use" .Values.publicUrl | quote }}}
- {name: SAGASCRIPT_TRUSTED_PROXIES, value: {{ .Values.trustedProxies | quote }}}
- {name: SAGASCRIPT_SERVE_UPLOADS, value: "false"}
- {name: SAGASCRIPT_SERVE_RELAY, value: "false"}
- {name: SAGASCRIPT_REALTIME_URL, value: "http://{{ include "sagascript.name" . }}-relay:8080"}
- {name: SAGASCRIPT_REALTIME_SOCKET_URL, value: {{ .Values.publicUrl | quote }}}
{{- with .Values.storage.publicEndpoint }}
- {name: SAGASCRIPT_STORAGE_PUBLIC_ENDPOINT, value: {{ . | quote }}}
{{- end }}
{{- range $name, $value := .Values.controlSettings }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end }}

{{- /* What the replicas of the models know beside that: endpoints. */ -}}
{{- define "sagascript.modelEnv" -}}
- {name: SAGASCRIPT_ALLOW_HUB, value: "false"}
{{- if .Values.llm.enabled }}
- {name: SAGASCRIPT_CHAT_URL, value: "http://{{ include "sagascript.name" . }}-llm:8000/v1"}
- {name: SAGASCRIPT_CHAT_MODEL, value: chat}
- {name: SAGASCRIPT_CHAT_CONTEXT_TOKENS, value: {{ .Values.llm.contextTokens | toString | quote }}}
{{- end }}
{{- with .Values.secrets.chat }}
{{ include "sagascript.secretEnv" (dict "name" "SAGASCRIPT_CHAT_KEY" "secret" . "key" "chat-key") }}
{{- end }}
{{- with .Values.secrets.speech }}
{{ include "sagascript.secretEnv" (dict "name" "SAGASCRIPT_SPEECH_KEY" "secret" . "key" "speech-key") }}
{{- end }}
{{- end }}

{{- define "sagascript.rayEnv" -}}
- {name: RAY_AUTH_MODE, value: token}
{{ include "sagascript.secretEnv" (dict "name" "RAY_AUTH_TOKEN" "secret" .Values.secrets.ray "key" "auth_token") }}
- {name: RAY_USAGE_STATS_ENABLED, value: "0"}
- {name: RAY_gcs_rpc_server_reconnect_timeout_s, value: "600"}
{{- end }}

{{- define "sagascript.claim" -}}
{{ .Values.models.cache.existingClaim | default (printf "%s-models" (include "sagascript.name" .)) }}
{{- end }}

{{- define "sagascript.scratch" -}}
- {name: tmp, emptyDir: {}}
- {name: data, emptyDir: {}}
- {name: work, emptyDir: {}}
{{- end }}

{{- define "sagascript.scratchMounts" -}}
- {name: tmp, mountPath: /tmp}
- {name: data, mountPath: /data}
- {name: work, mountPath: /work}
{{- end }}

{{- /* A Ray node without slots beside a process that submits work: such a process reaches a cluster only through one. It
starts first, ends last and has none of that process's secrets. */ -}}
{{- define "sagascript.rayNode" -}}
- name: ray-node
  {{- include "sagascript.image" (dict "root" . "name" "cpu") | nindent 2 }}
  restartPolicy: Always
  command: [/bin/bash, -c]
  args:
    - >-
      ulimit -n 65536;
      exec ray start --block --disable-usage-stats --num-cpus=0 --num-gpus=0 --object-store-memory=268435456
      --address={{ include "sagascript.name" . }}-head-svc:6379 --node-ip-address=$POD_IP
      --dashboard-agent-listen-port=52365
  env:
    - {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
    - {name: HOME, value: /tmp}
    {{- include "sagascript.rayEnv" . | nindent 4 }}
  startupProbe:
    exec: {command: [sh, -c, "wget -q -T 4 -O - http://localhost:52365/api/local_raylet_healthz | grep -q success"]}
    periodSeconds: 5
    timeoutSeconds: 5
    failureThreshold: 120
  livenessProbe:
    exec: {command: [sh, -c, "wget -q -T 4 -O - http://localhost:52365/api/local_raylet_healthz | grep -q success"]}
    periodSeconds: 10
    timeoutSeconds: 5
    failureThreshold: 12
  resources: {{ toYaml .Values.ray.sidecarResources | nindent 4 }}
  {{- include "sagascript.container" . | nindent 2 }}
  volumeMounts:
    - {name: tmp, mountPath: /tmp}
    - {name: shm, mountPath: /dev/shm}
{{- end }}
