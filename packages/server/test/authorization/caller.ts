/** The columns of `expected.md`, which says who they are. */
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
] as const
export type Column = (typeof COLUMNS)[number]

export interface Caller {
  readonly column: Column
  /** The column; for nobody also which nobody. */
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** null for keys and for nobody. */
  readonly user_id: number | null
  /** As change requests remember who asked: `user:<id>` or `sdk_key:<id>`. */
  readonly identity: string
  /** What listings may show of the world; for a workspace admin there is more. */
  readonly sees: { readonly projectIds: readonly string[]; readonly environmentIds: readonly string[] }
  /** Another one of the same kind, for requests that end the caller's own session or password. */
  readonly another: () => Promise<Caller>
}

export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

/** What browser clients send with every change (docs/reference/access.md#credentials). */
export const CSRF = { 'x-flagservice-request': 'true' }

/** A caller whom no request changes. */
export function fixedCaller(
  known: Pick<Caller, 'column' | 'headers' | 'identity' | 'name' | 'sees'>,
): Caller {
  const caller: Caller = { ...known, user_id: null, another: async () => caller }
  return caller
}
