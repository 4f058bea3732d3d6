import { FILTER_CONDITIONS_MAX, FILTER_MAX_LENGTH } from './limits.ts'
import { GROUP_SCHEMA, USER_SCHEMA, withoutSchema } from './schema-uris.ts'
import { badRequest } from './scim-refused.ts'

/** One comparison of a filter: the attribute in lower case, with its sub-attribute after a dot. */
export interface Condition {
  readonly attribute: string
  readonly value: string | boolean
}

/** `attribute`, `attribute[sub eq "value"]` or `attribute[sub eq "value"].other`. */
const TARGET =
  /\s*([A-Za-z][\w$:.-]{0,199})(?:\[\s*([A-Za-z]\w{0,49})\s+eq\s+("(?:[^"\\]|\\.)*")\s*\](?:\.([A-Za-z]\w{0,49}))?)?/iy
const COMPARISON = /\s+([A-Za-z]{2})\s+("(?:[^"\\]|\\.)*"|true\b|false\b)/iy
const AND = /\s+and(?=\s)/iy

/**
 * Parses a filter: comparisons with `eq`, joined by `and`. Refuses everything else with `invalidFilter`: it
 * would search without an index.
 */
export function parseFilter(text: string): readonly Condition[] {
  if (text.length > FILTER_MAX_LENGTH) throw refuse(`may have at most ${FILTER_MAX_LENGTH} characters`)
  const conditions: Condition[] = []
  let at = 0
  while (conditions.length < FILTER_CONDITIONS_MAX) {
    const { condition, end } = readCondition(text, at)
    conditions.push(condition)
    if (text.slice(end).trim() === '') return conditions
    const and = matchAt(AND, text, end)
    if (!and) throw refuse(SUPPORTED)
    at = end + and[0].length
  }
  throw refuse(`may have at most ${FILTER_CONDITIONS_MAX} comparisons`)
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function readCondition(text: string, at: number): { condition: Condition; end: number } {
  const target = matchAt(TARGET, text, at)
  if (!target) throw refuse(SUPPORTED)
  const [whole, name = '', sub, subValue, after] = target
  const attribute = withoutSchema(withoutSchema(name, USER_SCHEMA), GROUP_SCHEMA).toLowerCase()
  const compared = at + whole.length
  const comparison = matchAt(COMPARISON, text, compared)
  // `members[value eq "12"]` compares by itself, and `emails[type eq "work"].value` names what is compared.
  if (!comparison && sub !== undefined && subValue !== undefined && after === undefined)
    return {
      condition: { attribute: `${attribute}.${sub.toLowerCase()}`, value: textOf(subValue) },
      end: compared,
    }
  const [matched = '', operator = '', value = ''] = comparison ?? []
  if (operator.toLowerCase() !== 'eq') throw refuse(SUPPORTED)
  const path = after === undefined ? attribute : `${attribute}.${after.toLowerCase()}`
  return { condition: { attribute: path, value: literalOf(value) }, end: compared + matched.length }
}

const literalOf = (literal: string): string | boolean =>
  literal.startsWith('"') ? textOf(literal) : literal.toLowerCase() === 'true'

function textOf(literal: string): string {
  try {
    const text: unknown = JSON.parse(literal)
    if (typeof text === 'string' && text.isWellFormed() && !text.includes('\0')) return text
  } catch {
    // Refused below.
  }
  throw refuse('has a text that is not valid JSON')
}

const SUPPORTED = 'must be comparisons such as userName eq "ada@example.com", joined by "and"'

const refuse = (problem: string) => badRequest('invalidFilter', `The filter ${problem}.`)
