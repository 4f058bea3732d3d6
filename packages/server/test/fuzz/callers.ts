/** The kinds of credentials that every endpoint is called with. */
export const CALLER_KINDS = [
  'anonymous',
  'session_admin',
  'session_editor',
  'session_viewer',
  'server_key',
  'client_key',
  'read_only_token',
  'read_write_token',
  'garbage',
] as const
export type CallerKind = (typeof CALLER_KINDS)[number]

/** A caller with its credential. */
export interface Caller {
  readonly kind: CallerKind
  readonly headers: Readonly<Record<string, string>>
  /** The user of the session or token. */
  readonly user_id: number | null
  /** The secret of a key, which may also be sent as `?sdk_key=`. */
  readonly sdk_key: string | null
  /** True for callers that see every project. Others see that of the run and nothing of the foreign one. */
  readonly isWorkspaceAdmin: boolean
  /** The environment of a key. */
  readonly environment_id: string | null
}

const NOBODY = { user_id: null, sdk_key: null, environment_id: null, isWorkspaceAdmin: false }

export const ANONYMOUS: Caller = { kind: 'anonymous', headers: {}, ...NOBODY }

const bearing = (authorization: string): Caller => ({
  kind: 'garbage',
  headers: { authorization },
  ...NOBODY,
})
const withCookie = (cookie: string): Caller => ({
  kind: 'garbage',
  headers: { cookie, 'x-flagservice-request': 'true' },
  ...NOBODY,
})

/** Invalid credentials, one for each way to be invalid. */
export const GARBAGE: readonly Caller[] = [
  bearing(`Bearer sk_live_${'A'.repeat(43)}`),
  bearing(`Bearer pat_${'A'.repeat(43)}`),
  bearing(`Bearer pat_${'A'.repeat(4_000)}`),
  bearing('Bearer'),
  bearing('Basic YWRtaW46YWRtaW4='),
  bearing('Bearer a b'),
  bearing('Bearer \u00ff\u00fe'),
  bearing('Bearer __proto__'),
  withCookie('lg_session='),
  withCookie('lg_session=%E0%A4%A'),
  withCookie('lg_session=a.b.c.d.e'),
  withCookie('lg_session=eyJhbGciOiJub25lIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA'),
  withCookie(`lg_session=${'A'.repeat(6_000)}`),
  withCookie('=;;;__proto__=1; lg_session'),
]
