/** A schema as it is checked: with compiled patterns, without annotations and unknown keywords. */
export type ReadSchema = boolean | Keywords

/** The keywords of a schema. What each has was read by its entry of `KEYWORDS`. */
export type Keywords = Readonly<Record<string, unknown>>
