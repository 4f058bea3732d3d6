import { isPlain as isPlainText, type JsonSchema, PLAIN_FORMATS } from '@burgee/contract'
import fc from 'fast-check'
import type { Random } from './random.ts'

/** Returns a value for the field of this name, at any depth; undefined for one by the schema. */
export type Fill = (name: string) => unknown

/** Generates values that match a schema of the contract. */
export type Generate = (random: Random, schema: JsonSchema, fill: Fill) => unknown

const SAMPLES_PER_PATTERN = 60
const OPTIONAL_FIELD_CHANCE = 0.5
const ITEMS_MAX = 3
const JSON_DEPTH = 3

/**
 * Creates a generator. Patterns are sampled once each with the seed; everything else uses the `random` of
 * each call.
 */
export function createGenerator(seed: number): Generate {
  const samples = new Map<string, readonly string[]>()
  const matching = (pattern: string): readonly string[] => {
    const known = samples.get(pattern)
    if (known) return known
    const drawn = fc.sample(fc.stringMatching(new RegExp(pattern)), { seed, numRuns: SAMPLES_PER_PATTERN })
    const clean = drawn.filter((text) => isPlain(text))
    if (clean.length === 0) throw new Error(`no text was found for the pattern ${pattern}`)
    samples.set(pattern, clean)
    return clean
  }
  const generate: Generate = (random, schema, fill) => {
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    if (schema.anyOf) return generate(random, random.pick(schema.anyOf), fill)
    if (schema.allOf) {
      return Object.assign({}, ...schema.allOf.map((part) => generate(random, part, fill)))
    }
    switch (schema.type) {
      case 'null':
        return null
      case 'boolean':
        return random.chance(0.5)
      case 'integer':
      case 'number':
        return generateNumber(random, schema)
      case 'string':
        return generateText(random, schema, matching)
      case 'array':
        return generateArray(random, schema, fill, generate)
      case 'object':
        return generateObject(random, schema, fill, generate)
      default:
        return anyJson(random, JSON_DEPTH)
    }
  }
  return generate
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones to leave out
const isPlain = (text: string) => text.isWellFormed() && !/[\u0000-\u001f]/.test(text)

function generateNumber(random: Random, { maximum = 1_000, minimum = 0 }: JsonSchema): number {
  const top = Math.min(maximum, 2 ** 31 - 1)
  return random.pick([
    minimum,
    random.integer(minimum, Math.min(top, minimum + 100)),
    random.integer(minimum, top),
  ])
}

function generateText(
  random: Random,
  { format, maxLength = 200, minLength = 0, pattern }: JsonSchema,
  matching: (pattern: string) => readonly string[],
): string {
  if (format === 'uuid') return anyUuid(random)
  if (format === 'date-time') return anyTimestamp(random)
  if (pattern !== undefined) {
    const isUsable = (text: string) =>
      PLAIN_FORMATS.every((plain) => plain !== format || isPlainText(plain, text))
    const fitting = matching(pattern).filter(
      (text) => text.length >= minLength && text.length <= maxLength && isUsable(text),
    )
    if (fitting.length > 0 && random.chance(0.7)) return random.pick(fitting)
    // A unique name, so that there are more than the samples: letters match every pattern of names.
    const word = `f${random.integer(0, 1_000_000).toString(36)}`
    if (new RegExp(pattern).test(word)) return word
    return random.pick(fitting)
  }
  return anyText(random).padEnd(minLength, 'x').slice(0, maxLength).toWellFormed()
}

function generateArray(
  random: Random,
  schema: JsonSchema & { readonly minItems?: number },
  fill: Fill,
  generate: Generate,
) {
  if (schema.prefixItems) return schema.prefixItems.map((item) => generate(random, item, fill))
  const { items = {}, maxItems = ITEMS_MAX, minItems = 0 } = schema
  const length = random.integer(minItems, Math.max(minItems, Math.min(maxItems, ITEMS_MAX)))
  return Array.from({ length }, () => generate(random, items, fill))
}

function generateObject(random: Random, schema: JsonSchema, fill: Fill, generate: Generate): object {
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties)
    .filter(([name]) => required.includes(name) || random.chance(OPTIONAL_FIELD_CHANCE))
    .map(([name, property]) => [name, fill(name) ?? generate(random, property, fill)])
  return Object.fromEntries(fields)
}

export function anyUuid(random: Random): string {
  const hex = (digits: number) =>
    random
      .integer(0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, '0')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`
}

function anyTimestamp(random: Random): string {
  const moment = new Date(Date.UTC(2000, 0, 1) + random.integer(0, 1_500_000_000) * 1_000)
  const text = moment.toISOString()
  return random.pick([
    text,
    text.replace(/\.\d+/, ''),
    text.replace('Z', '+02:00'),
    text.replace('Z', '-11:30'),
  ])
}

const TEXTS = [
  '',
  'checkout',
  'Grün',
  'два слова',
  '日本語',
  '😀 flags',
  'a b  c',
  '"quoted"',
  'x'.repeat(150),
  '0',
  'null',
]

export const anyText = (random: Random): string =>
  random.chance(0.5) ? random.pick(TEXTS) : `text ${random.integer(0, 10_000).toString(36)}`

/** Generates any JSON value, with `__proto__` among its keys. */
export function anyJson(random: Random, depth: number): unknown {
  const kind = random.integer(0, depth > 0 ? 6 : 4)
  if (kind === 0) return null
  if (kind === 1) return random.chance(0.5)
  if (kind === 2) return random.pick([0, 1, -1, 0.5, 1e21, random.integer(-1_000, 1_000)])
  if (kind <= 4) return anyText(random)
  const inner = Array.from({ length: random.integer(0, 3) }, () => anyJson(random, depth - 1))
  if (kind === 5) return inner
  return Object.fromEntries(
    inner.map((value, index) => [random.pick(['a', '', '__proto__', `k${index}`]), value]),
  )
}
