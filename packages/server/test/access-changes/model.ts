/** The rights of everyone, as the test expects them. It knows nothing of the server. */
export interface Model {
  readonly people: readonly Person[]
  /** The custom roles, by key: what each permits. */
  readonly customRoles: Map<string, Grant>
  /** The role that the group gives in the project of groups; null while the table has no row. */
  groupRole: { readonly id: number; readonly role: string } | null
  readonly keys: Key[]
}

interface Grant {
  readonly read: boolean
  readonly write: boolean
}

export interface Place {
  readonly project: string
  readonly environment: string
}

export interface Person {
  readonly id: number
  readonly email: string
  readonly isInGroup: boolean
  isDisabled: boolean
  isAdmin: boolean
  /** The role in the project where people are members by hand; null for no membership. */
  role: string | null
  /** The roles in single environments of that project. */
  readonly overrides: Map<string, string>
  readonly credentials: Credential[]
}

export interface Credential {
  readonly kind: 'session' | 'token'
  /** The id of the session or the token. */
  readonly id: string | number
  readonly as: { readonly cookie: string } | { readonly bearer: string }
  readonly isReadOnly: boolean
  isEnded: boolean
}

export interface Key {
  readonly id: number
  readonly key: string
  readonly place: Place
  isRevoked: boolean
}

const BUILT_IN: Readonly<Record<string, Grant>> = {
  viewer: { read: true, write: false },
  editor: { read: true, write: true },
  admin: { read: true, write: true },
}
const NOTHING: Grant = { read: false, write: false }

/** Returns the statuses of a read and a write with a credential in an environment. */
export function expectedOf(
  model: Model,
  { credential, person }: { readonly person: Person; readonly credential: Credential },
  { groupProject, place }: { readonly place: Place; readonly groupProject: string },
): { readonly read: number; readonly write: number } {
  if (credential.isEnded || person.isDisabled) return { read: 401, write: 401 }
  const { read, write } = grantOf(model, person, { groupProject, place })
  // The body of the write is invalid, so that nothing is written.
  return { read: read ? 200 : 403, write: write && !credential.isReadOnly ? 422 : 403 }
}

function grantOf(
  { customRoles, groupRole }: Model,
  person: Person,
  { groupProject, place }: { readonly place: Place; readonly groupProject: string },
): Grant {
  if (person.isAdmin) return { read: true, write: true }
  const isOfGroups = place.project === groupProject
  const inProject = isOfGroups ? (person.isInGroup ? (groupRole?.role ?? null) : null) : person.role
  if (inProject === null) return NOTHING
  const role = isOfGroups ? inProject : (person.overrides.get(place.environment) ?? inProject)
  return BUILT_IN[role] ?? customRoles.get(role) ?? NOTHING
}

/** Returns random numbers from a seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
      const found = list[below(list.length)]
      if (found === undefined) throw new Error('nothing to choose from')
      return found
    },
  }
}
export type Random = ReturnType<typeof createRandom>
