/** What an `update` of the stream asks for (specification, "Stream events"). The evaluation reads the flag itself. */
export type FlagUpdate =
  | { readonly type: 'UPSERT'; readonly key: string; readonly flag: unknown }
  | { readonly type: 'DELETE'; readonly key: string }
