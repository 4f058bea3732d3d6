/** What an `update` of the stream asks for (docs/reference/streaming.md#stream-contents). The evaluation reads the flag itself. */
export interface FlagUpdate {
  readonly type: 'UPSERT' | 'DELETE'
  readonly key: string
  /** Of an UPSERT. */
  readonly flag?: unknown
}
