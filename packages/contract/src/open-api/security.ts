import type { Access } from '../access.ts'

export const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'lg_session',
    description: 'The cookie that signing in sets. Changes also need the header X-Flagservice-Request.',
  },
  sdk_key: { type: 'http', scheme: 'bearer', description: 'An SDK key, `sk_live_...`' },
  sdk_key_query: {
    type: 'apiKey',
    in: 'query',
    name: 'sdk_key',
    description: 'An SDK key, for clients that cannot set headers',
  },
  access_token: { type: 'http', scheme: 'bearer', description: 'A personal access token, `pat_...`' },
  setup_token: {
    type: 'http',
    scheme: 'bearer',
    description: 'The one-time token that guards the set-up of a fresh workspace',
  },
  metrics_token: { type: 'http', scheme: 'bearer', description: 'The setting METRICS_TOKEN' },
} as const
type Scheme = keyof typeof SECURITY_SCHEMES

const USERS: readonly Scheme[] = ['session', 'access_token']
const EVERYONE: readonly Scheme[] = ['session', 'access_token', 'sdk_key']

/** The credentials that each access accepts. A public access has none. */
export const SECURITY_OF: Record<Access, readonly Scheme[]> = {
  public: [],
  setup_token: ['setup_token'],
  metrics_token: ['metrics_token'],
  any_credential: EVERYONE,
  read_self: USERS,
  account: USERS,
  workspace_admin: USERS,
  list_projects: EVERYONE,
  read_project: EVERYONE,
  write_project: USERS,
  delete_project: USERS,
  write_environment: EVERYONE,
  read_project_flags: USERS,
  write_keys: EVERYONE,
  read_environment: EVERYONE,
  ingest: EVERYONE,
  write_flags: EVERYONE,
  open_stream: [...EVERYONE, 'sdk_key_query'],
  read_snapshot: ['sdk_key'],
  ack: ['sdk_key'],
}

/** True for accesses that some valid credentials lack, so that the response can be 403. */
export const IS_JUDGED: Record<Access, boolean> = {
  public: false,
  setup_token: false,
  metrics_token: false,
  any_credential: true,
  read_self: false,
  account: true,
  workspace_admin: true,
  list_projects: true,
  read_project: true,
  write_project: true,
  delete_project: true,
  write_environment: true,
  read_project_flags: true,
  write_keys: true,
  read_environment: true,
  ingest: true,
  write_flags: true,
  open_stream: true,
  read_snapshot: false,
  ack: true,
}
