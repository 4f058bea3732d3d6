import type { ScimQuery } from './list-query.ts'

/** A request below `/scim/v2`, after its token was checked. */
export interface ScimRequest {
  readonly method: string
  /** The decoded segments of the path. */
  readonly path: readonly string[]
  /** Parameters by their names in lower case. */
  readonly query: ScimQuery
  /** The parsed body; undefined without one. */
  readonly body: unknown
  readonly requestId: string
  readonly address: string
  readonly userAgent: string | undefined
}

/** A request to a collection, or to the resource with the id. */
export interface ResourceRequest extends ScimRequest {
  readonly id: string | undefined
}

export interface ScimReply {
  readonly status: number
  /** Null without a body. */
  readonly body: object | null
  readonly location?: string
}
