/** The columns of `expected.md`, which describes them. */
export const COLUMNS = [
  'nobody',
  'no csrf',
  'viewer',
  'editor',
  'admin',
  'outsider',
  'owner',
  'key',
  'key env',
  'key prj',
  'client',
  'reader',
  'legacy',
  'ed-ro',
  'ed-rw',
  'ow-ro',
  'ow-rw',
  'robot',
  'in env',
  'custom',
] as const
export type Column = (typeof COLUMNS)[number]

export interface Caller {
  readonly column: Column
  /** The column; for callers without a valid credential also their variant. */
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** The id of a user who can sign in; null for keys, service accounts and invalid credentials. */
  readonly user_id: number | null
  /** The requester as change requests store it: `user:<id>` or `sdk_key:<id>`. */
  readonly identity: string
  /** The parts of the world that lists may show; a workspace admin sees more. */
  readonly sees: { readonly projectIds: readonly string[]; readonly environmentIds: readonly string[] }
  /** Creates another caller of the same kind, for requests that end the caller's own session or password. */
  readonly another: () => Promise<Caller>
}

export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

/** The header that browser clients send with every change (docs/reference/access.md#credentials). */
export const CSRF = { 'x-flagservice-request': 'true' }

/** Creates a caller that no request changes. */
export function fixedCaller(
  known: Pick<Caller, 'column' | 'headers' | 'identity' | 'name' | 'sees'>,
): Caller {
  const caller: Caller = { ...known, user_id: null, another: async () => caller }
  return caller
}
