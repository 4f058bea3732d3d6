import { parse } from 'yaml'
import { readText } from './root.ts'

type Values = Readonly<Record<string, unknown>>

/** The path of the Helm chart in the repository. */
export const CHART = 'deploy/helm/burgee'

/** Returns the values of the chart's own file. */
export const defaultValues = (): Values => parse(readText(`${CHART}/values.yaml`))

const SECRETS = {
  SESSION_SECRET: 'a-session-secret-for-tests-of-32-characters',
  DATABASE_URL: 'postgres://burgee:secret@database/burgee',
}

/** The values of installations: the smallest, the largest, and one with a Secret that exists. */
export const VALUES: Readonly<Record<string, Values>> = {
  smallest: { secrets: SECRETS },
  largest: {
    secrets: { ...SECRETS, METRICS_TOKEN: 'a-metrics-token' },
    settings: { TRUST_PROXY: '1', PUBLIC_URL: 'https://flags.example.com' },
    image: { repository: 'registry.example.com/burgee', tag: '1.2.3', pullSecrets: [{ name: 'pull' }] },
    ingress: { enabled: true, className: 'nginx', host: 'flags.example.com', tlsSecret: 'flags-tls' },
    autoscaling: { enabled: true, minReplicas: 3 },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    networkPolicy: {
      enabled: true,
      from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
      egress: [{ ports: [{ port: 5432 }] }],
    },
    serviceAccount: { annotations: { team: 'flags' } },
    podAnnotations: { team: 'flags' },
    podLabels: { team: 'flags' },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'flags', operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
    ],
    extraManifests: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-object' } },
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-text\n',
    ],
  },
  'existing Secret': { existingSecret: 'flags', networkPolicy: { enabled: true } },
}

/** Values that the schema refuses, by the reason. */
export const REFUSED_VALUES: Readonly<Record<string, Values>> = {
  'no secrets': {},
  'no database': { secrets: { SESSION_SECRET: SECRETS.SESSION_SECRET } },
  'a session secret that is too short': { secrets: { ...SECRETS, SESSION_SECRET: 'short' } },
  'a database that is no PostgreSQL': { secrets: { ...SECRETS, DATABASE_URL: 'mysql://database' } },
  'secrets beside an existing Secret': { secrets: SECRETS, existingSecret: 'flags' },
  'an existing Secret without a session secret': {
    existingSecret: 'flags',
    existingSecretKeys: ['DATABASE_URL'],
  },
  'a secret among the settings': { secrets: SECRETS, settings: { REDIS_URL: 'redis://redis' } },
  'a setting that is no text': { secrets: SECRETS, settings: { DB_MAX_CONNECTIONS: 20 } },
  'an unknown value': { secrets: SECRETS, replicas: 3 },
  'an Ingress without a host': { secrets: SECRETS, ingress: { enabled: true } },
  'no replica': { secrets: SECRETS, replicaCount: 0 },
}
