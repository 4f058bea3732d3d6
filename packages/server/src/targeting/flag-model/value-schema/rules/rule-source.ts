import type { CheckRun, Rule } from '../check-run.ts'
import type { LinearPattern } from '../linear-pattern.ts'
import type { Keywords, ReadSchema } from '../read-schema.ts'

/** The schema of a flag, read. */
export interface SchemaDocument {
  readonly root: ReadSchema
  /** The patterns of `patternProperties` by their texts. */
  readonly patterns: ReadonlyMap<string, LinearPattern>
  /** Returns the schema to which a reference leads. */
  resolve(reference: string): ReadSchema
}

/** The schema and the check to which a rule belongs. */
export interface RuleSource {
  /** The keywords beside the one of the rule. */
  readonly schema: Keywords
  readonly document: SchemaDocument
  readonly run: CheckRun
}

/**
 * Creates the rule of a keyword. `KEYWORDS` has the form of its value, which reading has confirmed: rules
 * cast to it. Null where the keyword requires nothing.
 */
export type RuleOf<V> = (argument: unknown, source: RuleSource) => Rule<V> | null

const SHOWN_MAX_CHARACTERS = 100

/** Returns a name in quotation marks, cut where it is long. */
export function quote(name: string): string {
  return JSON.stringify(
    name.length > SHOWN_MAX_CHARACTERS ? `${name.slice(0, SHOWN_MAX_CHARACTERS)}…`.toWellFormed() : name,
  )
}
