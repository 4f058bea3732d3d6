import { createHash } from 'node:crypto'
import type { Spend } from '../../../kernel/check-budget.ts'
import type { FieldNames } from './field-names.ts'

/** The steps to write one value, and one with others inside, beside those of its characters. */
const STEPS_PER_VALUE = 3
const STEPS_PER_COMPOUND = 6
/** The characters that one step copies, compares or hashes. */
const CHARACTERS_PER_STEP = 32
/** JavaScript gives longer texts of one length the same hash, so that a set compares each with all others. */
const SET_TEXT_MAX_LENGTH = 16_000

/** Returns the steps to read a text once. */
const textSteps = (text: string): number => 1 + text.length / CHARACTERS_PER_STEP

/**
 * Returns a member for sets that is the same for equal JSON values, and for no others. The order of fields
 * does not matter.
 */
export function identityOf(value: unknown, names: FieldNames, spend: Spend): unknown {
  if (typeof value === 'string') {
    spend(textSteps(value))
    return value.length > SET_TEXT_MAX_LENGTH ? `\0text ${hashOf(value)}` : value
  }
  spend(1)
  if (typeof value !== 'object' || value === null) return value
  const text = canonicalText(value, names, spend)
  // A text of input has no NUL, so it never equals one of these.
  return text.length > SET_TEXT_MAX_LENGTH ? `\0hash ${hashOf(text)}` : `\0${text}`
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Returns a JSON text with the fields in the order of their names. */
function canonicalText(value: unknown, names: FieldNames, spend: Spend): string {
  if (typeof value === 'string') {
    spend(STEPS_PER_VALUE + textSteps(value))
    return JSON.stringify(value)
  }
  spend(typeof value === 'object' ? STEPS_PER_COMPOUND : STEPS_PER_VALUE)
  if (Array.isArray(value)) return `[${value.map((each) => canonicalText(each, names, spend)).join()}]`
  if (typeof value !== 'object' || value === null) return String(Object.is(value, -0) ? 0 : value)
  // Every object can be read by the names of its own fields.
  const fields = value as Readonly<Record<string, unknown>>
  const parts = names.sortedOf(value).map((name) => {
    spend(textSteps(name))
    return `${JSON.stringify(name)}:${canonicalText(fields[name], names, spend)}`
  })
  return `{${parts.join()}}`
}
