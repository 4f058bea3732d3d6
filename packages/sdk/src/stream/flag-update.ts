/**
 * An `update` of the stream (docs/reference/streaming.md#stream-contents). Only the evaluation reads the
 * content of the flag.
 */
export interface FlagUpdate {
  readonly type: 'UPSERT' | 'DELETE'
  readonly key: string
  /** The flag of an UPSERT. */
  readonly flag?: unknown
}
