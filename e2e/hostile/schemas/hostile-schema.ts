import type { Random } from '../../../packages/server/test/fuzz/random.ts'

type Schema = boolean | { readonly [keyword: string]: unknown }
type Make = (random: Random) => Schema

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

const named = <T>(count: number, make: (at: number) => T) =>
  Object.fromEntries(times(count, (at) => [`k${at}`, make(at)]))

/** The levels of schemas that a schema may have, without those around the generated ones. */
const LEVELS_MAX = 8
const BYTES_MAX = 60_000

/** Schemas without others inside, each of which reads much of some value. Most of them let it pass. */
const LEAVES: readonly Make[] = [
  () => ({ uniqueItems: true }),
  () => ({ uniqueItems: true, maxItems: 1 }),
  () => ({ minItems: 1, maxItems: 100_000 }),
  () => ({ minProperties: 1, maxProperties: 100_000 }),
  (random) => ({ minLength: random.integer(1, 150_000), maxLength: random.integer(150_000, 400_000) }),
  (random) => ({ multipleOf: random.pick([1, 0.1, 7, 1e-9]), minimum: -1, exclusiveMaximum: 1e9 }),
  () => ({ type: ['null', 'boolean', 'object', 'array', 'number', 'string'] }),
  (random) => ({ required: times(random.integer(1, 5_000), (at) => `k${at}`) }),
  (random) => ({ dependentRequired: { k0: times(random.integer(1, 5_000), (at) => `k${at}`) } }),
  (random) => ({ dependentRequired: named(random.integer(1, 2_000), (at) => [`k${at}`]) }),
  (random) => ({ enum: times(random.integer(1, 10_000), (at) => at) }),
  (random) => ({ enum: times(random.integer(1, 5_000), (at) => `t${at}`) }),
  (random) => ({ enum: times(random.integer(1, 500), (at) => named(random.integer(1, 9), () => at)) }),
  (random) => ({ const: named(random.integer(1, 4_000), (at) => at) }),
  (random) => ({ const: times(random.integer(1, 10_000), (at) => at) }),
  () => ({ const: 'x'.repeat(50_000) }),
  (random) => ({ pattern: random.pick(['^(a+)+$', '(?:[ab]?){400}!', '(?:a|b|ab){1,90}c', '[^b]*b']) }),
  (random) => ({ properties: named(random.integer(1, 4_000), () => true), additionalProperties: false }),
  (random) => ({ patternProperties: patterns(random), additionalProperties: false }),
  () => ({ propertyNames: { pattern: '^(?:k|x)*[0-9]{1,80}$', maxLength: 99 } }),
  () => ({ unevaluatedProperties: true }),
  () => ({ unevaluatedItems: true }),
  (random) => ({ prefixItems: times(random.integer(1, 5_000), () => true), items: { type: 'number' } }),
]

const patterns = (random: Random) =>
  Object.fromEntries(times(random.integer(1, 300), (at) => [`^k[0-9]*${at}$|(?:a?){${at % 50}}z`, true]))

/** Schemas around others, which multiply what these cost. */
const WRAPPERS: readonly ((inner: Schema, random: Random) => Schema)[] = [
  (inner, random) => ({ allOf: copies(inner, random) }),
  (inner, random) => ({ anyOf: copies({ not: inner }, random) }),
  (inner, random) => ({ anyOf: copies(inner, random), unevaluatedProperties: true, unevaluatedItems: true }),
  (inner, random) => ({ oneOf: [...copies({ not: inner }, random), true] }),
  (inner) => ({ not: { not: inner } }),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  (inner) => ({ if: inner, then: inner, else: inner }),
  (inner) => ({ items: inner }),
  (inner) => ({ additionalProperties: inner }),
  (inner, random) => ({ properties: named(random.integer(1, 30), () => inner) }),
  (inner, random) => ({ dependentSchemas: named(random.integer(1, 100), () => inner) }),
  (inner) => ({ patternProperties: { k: inner, '[0-9]': inner } }),
  (inner) => ({ contains: { not: inner }, minContains: 0, maxContains: 9 }),
  (inner) => ({ contains: inner, unevaluatedItems: inner }),
  (inner, random) => ({ prefixItems: copies(inner, random), items: inner }),
  (inner) => ({ propertyNames: inner }),
  (inner) => ({ allOf: [inner], unevaluatedProperties: inner, unevaluatedItems: inner }),
]

/** Returns a schema of at most `BYTES_MAX`, whose parts multiply. */
export function hostileSchema(random: Random): Schema {
  let schema = random.pick(LEAVES)(random)
  const levels = random.integer(1, 4)
  for (let level = 0; level < levels; level += 1) {
    const wrapped = random.pick(WRAPPERS)(schema, random)
    if (JSON.stringify(wrapped).length > BYTES_MAX || depthOf(wrapped) > LEVELS_MAX) break
    schema = wrapped
  }
  return random.chance(0.25) ? multiplied(schema, random) : schema
}

function copies(schema: Schema, random: Random): Schema[] {
  const most = Math.max(1, Math.floor(BYTES_MAX / 2 / JSON.stringify(schema).length))
  return times(random.integer(1, Math.min(most, 1_000)), () => schema)
}

/** Returns a schema whose references check the given one again and again, each level twice as often. */
function multiplied(schema: Schema, random: Random): Schema {
  const levels = random.integer(2, 20)
  const twice = (at: number): Schema => {
    const $ref = `#/$defs/d${at + 1}`
    return at === levels ? schema : { [random.pick(['allOf', 'anyOf'])]: [{ $ref }, { $ref }] }
  }
  return { $defs: Object.fromEntries(times(levels + 1, (at) => [`d${at}`, twice(at)])), $ref: '#/$defs/d0' }
}

function depthOf(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0
  return 1 + Math.max(0, ...Object.values(schema).slice(0, 5).map(depthOf))
}
