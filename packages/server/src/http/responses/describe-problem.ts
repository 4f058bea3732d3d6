import {
  COLOR_PATTERN,
  ENVIRONMENT_SLUG_PATTERN,
  KEY_PATTERN,
  PLAIN_FORMATS,
  PLAIN_TEXT_REFUSAL,
  ROLE_KEY_PATTERN,
  SERVICE_ACCOUNT_NAME_PATTERN,
} from '@burgee/contract'
import type { ErrorObject } from 'ajv'

/** An error of a validator. A verbose validator adds the schema and the value. */
export type FoundError = Pick<ErrorObject, 'instancePath' | 'message' | 'params' | 'keyword'> &
  Partial<Pick<ErrorObject, 'parentSchema' | 'data'>>

/** The messages for each pattern. A test compares the list with the contract. */
export const PATTERN_TEXTS: Readonly<Record<string, string>> = {
  [KEY_PATTERN]: 'may have only letters (A-Z, a-z), digits, underscores and hyphens',
  [ENVIRONMENT_SLUG_PATTERN]: 'may have only lower-case letters (a-z), digits and hyphens',
  [ROLE_KEY_PATTERN]: 'may have only lower-case letters (a-z), digits, underscores and hyphens',
  [COLOR_PATTERN]: 'must be a color such as #6366f1 or #66f',
  [SERVICE_ACCOUNT_NAME_PATTERN]: 'must be words separated by single blanks, without @',
  '\\S': 'must not be blank',
  '^[A-Za-z0-9_.-]+$': 'may have only letters (A-Z, a-z), digits, dots, underscores and hyphens',
  '^[0-9a-f]{64}$': 'must be a SHA-256 hash of 64 hexadecimal digits',
  '^https?://': 'must be an address that begins with https:// or http://',
  '^[^\\s@]+@[^\\s@]+$': 'must be an e-mail address such as ada@example.com',
}

const FORMAT_TEXTS: Readonly<Record<string, string>> = {
  uuid: 'must be an id such as 3f0a5c1e-8f7b-4d2a-9c64-2b1d7e90a4c8',
  'date-time': 'must be a time such as 2026-01-31T09:30:00Z',
  ...Object.fromEntries(PLAIN_FORMATS.map((format) => [format, PLAIN_TEXT_REFUSAL])),
}

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

/** Describes the problem with a field, to follow its name: `must be at most 100`. */
export function describeProblem(error: FoundError, mayBeNull: boolean): string {
  const { data, keyword, params, parentSchema = {} } = error
  switch (keyword) {
    case 'type':
      return `must be ${describeTypes(params.type, mayBeNull)}`
    case 'enum':
      return `must be one of ${listOf(params.allowedValues)}`
    case 'const':
      return `must be ${String(params.allowedValue)}`
    case 'pattern':
      return PATTERN_TEXTS[String(params.pattern)] ?? 'has a form that is not possible here'
    case 'format':
      return `${FORMAT_TEXTS[String(params.format)] ?? 'has a form that is not possible here'}${mayBeNull ? ' or null' : ''}`
    case 'minimum':
    case 'maximum':
      return describeRange(Object(parentSchema))
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `may have at most ${amount(params.limit)} characters${describeLength(data)}`
    case 'minItems':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} items`
    case 'maxItems':
    case 'additionalItems':
      return `may have at most ${amount(params.limit)} items${describeLength(data)}`
    case 'maxProperties':
      return `may have at most ${amount(params.limit)} entries${describeLength(data)}`
    case 'uniqueItems':
      return `must have each item once; those at ${[params.i, params.j].sort((a, b) => a - b).join(' and ')} are equal`
    case 'additionalProperties':
      return `must not have the field ${JSON.stringify(shorten(String(params.additionalProperty)))}`
    case 'minProperties':
      return `must have at least one of ${listOf(Object.keys(Object(parentSchema.properties)))}`
    case 'required':
      return 'is required'
    default:
      return error.message ?? 'has a value that is not possible here'
  }
}

/** Lists types: `text`, `text or null`, `text, a number or null`. */
function describeTypes(type: unknown, mayBeNull: boolean): string {
  const names = [type, mayBeNull ? 'null' : []].flat().map((name) => TYPE_TEXTS[String(name)] ?? String(name))
  const last = names.pop()
  return names.length > 0 ? `${names.join(', ')} or ${last}` : String(last)
}

function describeRange({ maximum, minimum }: { maximum?: unknown; minimum?: unknown }): string {
  if (minimum === undefined) return `must be at most ${amount(maximum)}`
  return maximum === undefined
    ? `must be at least ${amount(minimum)}`
    : `must be from ${amount(minimum)} to ${amount(maximum)}`
}

/** Returns the length of the value. Characters are code points, as in the limit. */
function describeLength(data: unknown): string {
  if (Array.isArray(data)) return ` and has ${amount(data.length)}`
  if (typeof data === 'string') return ` and has ${describeCharacters(data)}`
  return typeof data === 'object' && data !== null ? ` and has ${amount(Object.keys(data).length)}` : ''
}

/** Returns the number of characters, which are counted up to a length: a text may have megabytes. */
function describeCharacters(text: string): string {
  if (text.length <= COUNTED_MAX) return amount(Array.from(text).length)
  // A character has at most two units.
  return `more than ${amount(COUNTED_MAX / 2)}`
}
/** In UTF-16 units. */
const COUNTED_MAX = 20_000

/** Cuts the name of a field, which the caller chose. */
const shorten = (name: string): string =>
  name.length > SHOWN_NAME_CHARS ? `${name.slice(0, SHOWN_NAME_CHARS)}…` : name
const SHOWN_NAME_CHARS = 100

const amount = (number: unknown): string => Number(number).toLocaleString('en')

const listOf = (values: unknown): string => (Array.isArray(values) ? values.map(String).join(', ') : '')
