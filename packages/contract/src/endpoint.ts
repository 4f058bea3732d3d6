import type { TObject, TSchema } from 'typebox'
import type { Access } from './access.ts'
import type { ReplyHeader } from './open-api/reply-headers.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * The kind of thing that a path addresses below its environment or project. It is looked up before access is
 * checked, so 404 comes before 403.
 */
export type Addressed =
  | 'flag'
  | 'segment'
  | 'sdk_key'
  | 'member'
  | 'role'
  | 'user'
  | 'group_mapping'
  | 'access_token'
  | 'user_token'
  | 'service_account'
  | 'service_account_token'
  | 'session'
  | 'user_session'
  | 'passkey'
  | 'change_request'
  | 'scheduled_change'
  | 'experiment'
  | 'webhook'
  | 'webhook_delivery'
  | 'integration'
  | 'unknown_flag'
  | 'project_flag'
  | 'invariant'

/** One operation of the HTTP API. The server mounts, checks and documents it from this description alone. */
export interface Endpoint {
  readonly method: Method
  /** The path, with `:name` parameters. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly access: Access
  /** A POST that changes nothing, always or with `dry_run: true`: `read_only` tokens may call it. */
  readonly changesNothing?: true | 'dry_run'
  /**
   * Requires that a session was authenticated within the last ten minutes: for every request, or only for
   * those whose body has one of the fields. Keys and tokens are not sessions and need nothing
   * (docs/reference/access.md#sessions).
   */
  readonly needsRecentLogin?: true | readonly string[]
  /** Open to a session that must add a second factor before anything else. */
  readonly isForEnrollment?: true
  readonly addresses?: Addressed
  readonly params?: TObject
  readonly query?: TObject
  readonly headers?: TObject
  readonly body?: TSchema
  /**
   * Fields of the resource that this write cannot set. A value other than the stored one returns the warning
   * `field_ignored`.
   */
  readonly ignores?: readonly string[]
  /** True when the body may be an HTML form as well. */
  readonly acceptsForm?: boolean
  /** True when an empty body means `{}`. Otherwise a declared body is required. */
  readonly bodyOptional?: boolean
  /** The largest body in bytes, when it is less than the default. */
  readonly bodyMaxBytes?: number
  /** The largest number of items in a batch. A longer one is refused with 413 before its content is read. */
  readonly batchMax?: number
  /**
   * The response schema for each status; null when there is no body. The first 2xx status is the usual one.
   */
  readonly responses: Readonly<Record<number, TSchema | null>>
  /** Error statuses beyond those that access, path and input imply (`open-api/error-responses`). */
  readonly errors?: readonly number[]
  /** The reasons for an error status, when the general description of the status is not enough. */
  readonly refusals?: Readonly<Record<number, string>>
  /**
   * The field that identifies an item, for a short list that the handler returns as a whole. `limit` and
   * `cursor` are applied to the response.
   */
  readonly listedBy?: string
  /** Headers of successful responses that callers rely on. */
  readonly sends?: readonly ReplyHeader[]
  /** The content type of a response that is not JSON. */
  readonly produces?: 'text/plain' | 'text/event-stream' | 'text/html' | 'application/x-ndjson'
  /**
   * True when requests count against the rate limit for reports instead of the general one
   * (docs/settings.md).
   */
  readonly ingest?: boolean
  /**
   * The protocol of others that the endpoint follows, where it has errors of its own: OFREP
   * (docs/ofrep.md#errors), or the manifest of OpenFeature (docs/types.md#openfeature).
   */
  readonly protocol?: 'ofrep' | 'manifest'
  /**
   * True when the path names no environment: `?environment_id=` does, and without it the SDK key of the
   * request.
   */
  readonly environmentInQuery?: true
  /** The access that is enough for a caller who names a project by `?project_id=`, and gets only its part. */
  readonly accessInProject?: 'read_project_audit'
  /** True when browsers of any origin may call it, without credentials (docs/reference/api.md#cors). */
  readonly cors?: boolean
}

/** Keeps the literal types of an endpoint, so that handlers and callers are typed by it. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition
