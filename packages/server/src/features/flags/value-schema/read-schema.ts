/** A schema as the interpreter reads it: with compiled patterns, without annotations and unknown keywords. */
export type ReadSchema = boolean | Keywords

export interface Keywords {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, ReadSchema>>
  readonly allOf?: readonly ReadSchema[]
}
