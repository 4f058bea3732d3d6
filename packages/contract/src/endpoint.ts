import type { TObject, TSchema } from 'typebox'
import type { Access } from './access.ts'
import type { ReplyHeader } from './open-api/reply-headers.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What a path addresses below its environment or project; it is looked up before access is judged (404 before 403). */
export type Addressed =
  | 'flag'
  | 'segment'
  | 'sdk_key'
  | 'member'
  | 'user'
  | 'access_token'
  | 'change_request'
  | 'scheduled_change'
  | 'experiment'
  | 'webhook'
  | 'webhook_delivery'
  | 'integration'

/** One operation of the HTTP API. The server mounts it, checks it and documents it from this alone. */
export interface Endpoint {
  readonly method: Method
  /** Path with `:name` parameters. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly access: Access
  readonly addresses?: Addressed
  readonly params?: TObject
  readonly query?: TObject
  readonly headers?: TObject
  readonly body?: TSchema
  /** Where true an empty body means `{}`; otherwise a declared body is required. */
  readonly bodyOptional?: boolean
  /** The longest body, where it is less than usual. */
  readonly bodyMaxBytes?: number
  /** Batches over this many items are refused with 413 before their content is looked at. */
  readonly batchMax?: number
  /** By status; null where there is no body. The first 2xx status is the usual one. */
  readonly responses: Readonly<Record<number, TSchema | null>>
  /** Error statuses of its own, beyond those that access, path and input imply (`open-api/error-responses`). */
  readonly errors?: readonly number[]
  /** When it answers an error, by status, where the general meaning of the status says too little. */
  readonly refusals?: Readonly<Record<number, string>>
  /** For a short list whose handler gives it whole: the field that identifies an item. `limit` and `cursor` are applied to the answer. */
  readonly listedBy?: string
  /** Headers of its successful answers that callers build on. */
  readonly sends?: readonly ReplyHeader[]
  /** Content type of an answer that is not JSON. */
  readonly produces?: 'text/plain' | 'text/event-stream' | 'text/html'
  /** Counts against the limit for ingest and not against the one for everything else (docs/settings.md). */
  readonly ingest?: boolean
  /** Answers browsers of any origin, without credentials (docs/reference/api.md#cors). */
  readonly cors?: boolean
}

/** Keeps the literal types of an endpoint, so that handlers and callers are typed by it. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition
