import { type Endpoint, endpoints } from '@burgee/contract'
import type { LargeWorld } from './open-large-world.ts'

type Endpoints = typeof endpoints

/** The names of all endpoints that are read. */
type ReadName = {
  [Name in keyof Endpoints]: Endpoints[Name]['method'] extends 'GET' ? Name : never
}[keyof Endpoints]

/** The bounds of responses. */
export const BOUNDS = {
  page: 'pages of 16 MiB, measured before they are read',
  short: 'short items; pages of 16 MiB',
  whole: '16 MiB as a whole, or a refusal with the size',
  pieces: 'sent in pieces, encoded in turns',
  one: 'one thing, with the size of a body',
  counts: 'counts, of a bounded number of rows',
  fixed: 'the size of its fields',
} as const

/** The request with the largest response of an endpoint. */
export interface WorstRead {
  readonly bound: keyof typeof BOUNDS
  /** A name for one of several requests. */
  readonly variant?: string
  readonly query?: (world: LargeWorld) => string
  /** The key in the path; that of a flag of the largest size unless given. */
  readonly key?: string
  /** The environment in the path, unless it is the one with all flags. */
  readonly environment_id?: (world: LargeWorld) => string
  readonly headers?: Readonly<Record<string, string>>
  /** The credential, unless it is the administrator's session. */
  readonly as?: 'server key' | 'metrics token'
  /** The status, unless it is 200. */
  readonly status?: number
  /** True where a flag is changed before the request. */
  readonly isAfterChange?: true
  /** The text after which a response without end is left. */
  readonly until?: string
}

type Rows<Row> = Readonly<Record<ReadName, Row | readonly Row[]>>

const GZIP = { 'accept-encoding': 'gzip' }
const LINES = { accept: 'application/x-ndjson' }
const READY = 'event: ready'
const sinceYesterday = () => `from=${new Date(Date.now() - 86_400_000).toISOString()}`
const all = 'limit=500'

const page: WorstRead = { bound: 'page' }
const short: WorstRead = { bound: 'short' }
const one: WorstRead = { bound: 'one' }
const counts: WorstRead = { bound: 'counts' }
const fixed: WorstRead = { bound: 'fixed' }

/** The worst read of every endpoint. The compiler requests a row of a new one. */
const WORST_READS: Rows<WorstRead> = {
  getHealth: fixed,
  getReadiness: fixed,
  getMetrics: { ...counts, as: 'metrics token' },
  getOpenApi: fixed,
  getApiDocs: fixed,
  getApplySchema: fixed,
  getSetup: fixed,
  getCurrentUser: fixed,
  getWorkspaceSettings: fixed,
  getWorkspace: fixed,
  getSignInOptions: fixed,
  startSingleSignOn: { ...fixed, query: () => 'purpose=login', status: 404 },
  completeSingleSignOn: { ...fixed, status: 404 },
  getPendingLink: { ...fixed, status: 404 },
  getOwnIdentity: fixed,
  getSingleSignOnSettings: fixed,
  listGroupMappings: short,
  getScimSettings: fixed,
  listSessions: short,
  listUserSessions: short,
  getSecondFactors: fixed,
  listUsers: short,
  getUser: fixed,
  listUserScheduledChanges: page,
  listAccessTokens: short,
  listUserTokens: short,
  listServiceAccounts: short,
  listServiceAccountTokens: short,
  listProjects: short,
  getProject: fixed,
  listMembers: short,
  listMemberCandidates: { ...short, query: () => 'q=a' },
  getMember: fixed,
  listRoles: short,
  getRole: { ...fixed, key: 'viewer' },
  getOwnAccess: fixed,
  getPreferences: fixed,
  listEnvironments: short,
  getEnvironment: fixed,
  getConnections: counts,
  listSdkKeys: short,
  getSdkKey: fixed,
  listFlags: [page, { ...page, variant: 'compressed', headers: GZIP }],
  getFlag: [one, { ...one, variant: 'a description', key: 'described-0' }],
  getFlagHistory: page,
  compareFlags: [
    { ...page, query: ({ environment_id, otherId }) => `source=${environment_id}&target=${otherId}` },
    {
      ...page,
      variant: 'with behaviour',
      query: ({ environment_id, otherId }) =>
        `source=${environment_id}&target=${otherId}&behaviour=true&limit=20`,
    },
  ],
  listProjectIncident: [
    { ...counts, query: sinceYesterday },
    { ...counts, variant: 'with impact', query: () => `${sinceYesterday()}&impact=true` },
  ],
  listIncident: { ...counts, query: sinceYesterday },
  listSegments: page,
  getSegment: { ...one, key: 'listed-0' },
  listChangeRequests: {
    ...page,
    environment_id: ({ guardedId }) => guardedId,
    query: () => 'preview=true',
  },
  getChangeRequest: one,
  listAllChangeRequests: page,
  listScheduledChanges: page,
  listFlagScheduledChanges: page,
  listExperiments: page,
  getExperiment: { ...fixed, key: 'large' },
  getExperimentResults: { ...counts, key: 'large' },
  listImpressions: { ...page, query: () => 'limit=200' },
  getImpressionStats: page,
  getExposure: { ...counts, query: () => 'flag_key=valued-0' },
  getImpressionActivity: page,
  listGoalEventKeys: short,
  listUnknownFlags: short,
  getPropagation: counts,
  listClients: { ...counts, query: () => all },
  listStaleFlags: { ...short, query: () => 'max_age=0' },
  getProjectFlag: one,
  getCleanupPlan: one,
  listDriftNotes: counts,
  listExceededBounds: short,
  listInvariants: counts,
  listEnvironmentAudit: { ...page, query: () => 'limit=200' },
  listProjectAudit: [
    { ...page, query: () => 'limit=200' },
    { bound: 'pieces', variant: 'lines', headers: LINES },
  ],
  listWorkspaceAudit: [
    { ...page, query: () => 'limit=200' },
    { bound: 'pieces', variant: 'lines', headers: LINES },
  ],
  listAuditHeads: counts,
  verifyAudit: { bound: 'pieces' },
  verifyProjectAudit: { bound: 'pieces' },
  listWebhooks: short,
  getWebhook: fixed,
  listWebhookDeliveries: short,
  listIntegrations: short,
  getIntegration: fixed,
  listIntegrationDeliveries: short,
  openStream: [
    { bound: 'pieces', as: 'server key', isAfterChange: true, until: READY },
    { bound: 'pieces', variant: 'of a session', isAfterChange: true, until: READY },
  ],
  getSnapshot: [
    { bound: 'pieces', as: 'server key', isAfterChange: true },
    { bound: 'pieces', variant: 'compressed', as: 'server key', isAfterChange: true, headers: GZIP },
  ],
  openEvents: { ...fixed, as: 'server key', until: 'retry:' },
  getTypes: { bound: 'whole' },
  getManifest: { bound: 'whole', query: ({ environment_id }) => `environment_id=${environment_id}` },
}

interface NamedRead {
  readonly name: string
  readonly endpoint: Endpoint
  readonly row: WorstRead
}

/** Lists the worst reads of all endpoints, in the order of the contract. */
export function listWorstReads(): readonly NamedRead[] {
  return Object.entries<Endpoint>(endpoints).flatMap(([name, endpoint]) => {
    if (endpoint.method !== 'GET') return []
    const rows: WorstRead | readonly WorstRead[] = WORST_READS[name as ReadName]
    return [rows].flat().map((row) => ({ name, endpoint, row }))
  })
}
