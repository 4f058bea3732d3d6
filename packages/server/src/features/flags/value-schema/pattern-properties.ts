import type { LinearPattern } from './linear-pattern.ts'
import type { Keywords, ReadSchema } from './read-schema.ts'

/** The steps for a name, beside those of the patterns: it may become a property. */
const STEPS_PER_NAME = 8

/** An entry of `patternProperties`. */
export interface PatternEntry {
  readonly pattern: LinearPattern
  readonly schema: ReadSchema
}

/**
 * Returns the schema with a property for each name that a pattern matches, in place of `patternProperties`:
 * the interpreter would match names with a regular expression of its own, which may never end.
 *
 * @param names All names of fields in the values that are checked.
 * @param spend Called with the steps that it takes.
 */
export function toProperties(
  schema: Keywords,
  patterns: readonly PatternEntry[],
  names: ReadonlySet<string>,
  spend: (steps: number) => void,
): Keywords {
  if (patterns.length === 0) return schema
  const properties = new Map(Object.entries(schema.properties ?? {}))
  const more: ReadSchema[] = []
  for (const name of names) {
    spend(STEPS_PER_NAME)
    const matching = patterns.filter(({ pattern }) => pattern.test(name)).map((entry) => entry.schema)
    if (matching.length === 0) continue
    // A property keeps its schema, because a reference may name it.
    if (properties.has(name)) more.push({ properties: Object.fromEntries([[name, { allOf: matching }]]) })
    else properties.set(name, { allOf: matching })
  }
  return {
    ...schema,
    ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
    ...(more.length > 0 && { allOf: [...(schema.allOf ?? []), ...more] }),
  }
}
