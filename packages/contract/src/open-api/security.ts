import { ACCESS, type Access } from '../access.ts'

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
    description: 'The one-time token that guards the setup of a fresh workspace',
  },
  metrics_token: { type: 'http', scheme: 'bearer', description: 'The setting METRICS_TOKEN' },
  sdk_key_header: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An SDK key, for OFREP' },
  ticket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description: 'A ticket of `eventStreams`, valid for 24 hours',
  },
} as const
type Scheme = keyof typeof SECURITY_SCHEMES

type Credentials = readonly Scheme[]

/** The credentials of accesses that are not for users and keys by the table of accesses. */
const OTHERS: Partial<Record<Access, Credentials>> = {
  public: [],
  setup_token: ['setup_token'],
  metrics_token: ['metrics_token'],
  read_self: ['session', 'access_token'],
  evaluate: ['sdk_key', 'sdk_key_header'],
  open_events: ['ticket', 'sdk_key', 'sdk_key_header'],
  open_stream: ['session', 'access_token', 'sdk_key', 'sdk_key_query'],
}

/** Returns the credentials that an access accepts. A public access has none. */
export function securityOf(access: Access): Credentials {
  const { keys, user } = ACCESS[access]
  return (
    OTHERS[access] ?? [
      ...(user === 'none' ? [] : (['session', 'access_token'] as const)),
      ...(keys === 'none' ? [] : (['sdk_key'] as const)),
    ]
  )
}

/** Returns whether some valid credentials lack the access, so that the response can be 403. */
export const canBeForbidden = (access: Access): boolean =>
  !['public', 'setup_token', 'metrics_token', 'read_self', 'read_snapshot'].includes(access)
