import type { JsonValue } from '@burgee/evaluation'
import type { Random } from '../../../fuzz/random.ts'

export type SchemaObject = Record<string, JsonValue>

const NAMES = ['a', 'ab', 'b', 'c']
const TEXTS = ['', 'a', 'ab', 'xyz', '😀😀']
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']
const SCHEMA_LEVELS = 3
const VALUE_LEVELS = 3

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Returns a small value, whose parts are often equal. */
export function randomValue(random: Random, levels = VALUE_LEVELS): JsonValue {
  const kind = random.integer(0, levels > 0 ? 8 : 4)
  if (kind === 0) return random.pick<JsonValue>([null, true, false])
  if (kind <= 2) return random.pick([0, 1, 2, 3, 1.5, -1])
  if (kind <= 4) return random.pick(TEXTS)
  if (kind <= 6) return times(random.integer(0, 4), () => randomValue(random, levels - 1))
  const fields = times(random.integer(0, 4), () => [random.pick(NAMES), randomValue(random, levels - 1)])
  return Object.fromEntries(fields)
}

/** Returns a schema with some keywords of every kind, whose references lead to its `$defs`. */
export function randomSchema(random: Random): SchemaObject {
  const $defs = { one: schema(random, 1, ['two']), two: leaf(random) }
  return { ...(schema(random, SCHEMA_LEVELS, ['one', 'two']) as SchemaObject), $defs }
}

function schema(random: Random, levels: number, names: readonly string[]): JsonValue {
  if (random.chance(0.12)) return random.chance(0.7)
  const parts = times(random.integer(1, 3), () =>
    levels > 0 ? branch(random, levels - 1, names) : leaf(random),
  )
  return Object.assign({}, ...parts)
}

function leaf(random: Random): SchemaObject {
  const count = random.integer(0, 3)
  return random.pick<SchemaObject>([
    { type: random.pick(TYPES) },
    { type: [random.pick(TYPES.slice(0, 3)), 'array'] },
    { const: randomValue(random, 2) },
    { enum: times(3, () => randomValue(random, 2)) },
    { minimum: count },
    { exclusiveMaximum: count },
    { multipleOf: random.pick([1, 2, 0.5]) },
    { minLength: count },
    { maxLength: count },
    { pattern: random.pick(['^a', 'b$', '^[a-z]*$']) },
    { minItems: count },
    { maxItems: count },
    { uniqueItems: true },
    { required: [random.pick(NAMES)] },
    { minProperties: count },
    { maxProperties: count },
    { dependentRequired: { a: ['b'], b: [random.pick(NAMES)] } },
  ])
}

function branch(random: Random, levels: number, names: readonly string[]): SchemaObject {
  const one = () => schema(random, levels, names)
  const some = () => times(random.integer(1, 3), one)
  const fields = () => Object.fromEntries(times(random.integer(1, 3), () => [random.pick(NAMES), one()]))
  return random.pick<() => SchemaObject>([
    () => leaf(random),
    () => ({ $ref: `#/$defs/${random.pick(names)}` }),
    () => ({ allOf: some() }),
    () => ({ anyOf: some() }),
    () => ({ oneOf: some() }),
    () => ({ not: one() }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    () => ({ if: one(), then: one(), else: one() }),
    () => ({ items: one() }),
    () => ({ prefixItems: some(), ...(random.chance(0.5) && { items: one() }) }),
    () => ({
      contains: one(),
      ...(random.chance(0.5) && { minContains: random.integer(0, 2), maxContains: 2 }),
    }),
    () => ({ properties: fields() }),
    () => ({ patternProperties: { '^a': one(), b: one() } }),
    () => ({ additionalProperties: one(), properties: fields() }),
    () => ({ propertyNames: one() }),
    () => ({ dependentSchemas: fields() }),
    () => ({ unevaluatedProperties: one() }),
    () => ({ unevaluatedItems: one() }),
  ])()
}
