import type { Random } from '../../packages/server/test/fuzz/random.ts'

/** A request to a server. `:env_id` and `:project_id` in its path and body are ids of the place. */
export interface HostileRequest {
  /** The credential: a session of an admin, a server key, or a client key. */
  readonly as: 'admin' | 'server' | 'client'
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST'
  readonly path: string
  readonly body?: unknown
}

/** A kind of input that may make a server compute for long: a file of `inputs`, in `list-inputs.ts`. */
export interface HostileInput {
  readonly name: string
  /** Returns requests that are sent one after another: the first may store what the next ones use. */
  create(random: Random): readonly HostileRequest[]
}
