/** What an `update` of the stream asks for (specification, "Stream events"). The evaluation reads the flag itself. */
export interface FlagUpdate {
  readonly type: 'UPSERT' | 'DELETE'
  readonly key: string
  /** Of an UPSERT. */
  readonly flag?: unknown
}
