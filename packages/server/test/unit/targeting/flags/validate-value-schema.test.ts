import type { JsonValue } from '@burgee/evaluation'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { createCheckBudget } from '../../../../src/kernel/check-budget.ts'
import { toFlagContent } from '../../../../src/targeting/flag-model/flag.ts'
import { validateValueSchema } from '../../../../src/targeting/flag-model/value-schema/validate-value-schema.ts'

const problemsOf = (value_schema: Record<string, JsonValue>, default_value: JsonValue) =>
  validateValueSchema(
    toFlagContent({ key: 'f', is_enabled: true, flag_type: 'json', default_value, value_schema }),
    null,
    createCheckBudget(() => 0),
  )

const numbered = (count: number, prefix: string, value: JsonValue) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value]))

describe('patternProperties', () => {
  const number = { type: 'number' }
  const small = { maximum: 9 }
  const schemas: Record<string, JsonValue>[] = [
    { patternProperties: { '^a': number } },
    { patternProperties: { '^a': number, b$: small } },
    { properties: { ab: { type: 'integer' } }, patternProperties: { '^a': small } },
    { patternProperties: { '^a': number }, additionalProperties: false },
    { properties: { c: true }, patternProperties: { '^a': true }, additionalProperties: { type: 'string' } },
    { patternProperties: { '^a': true }, unevaluatedProperties: false },
    { allOf: [{ patternProperties: { '^a': true } }], properties: { c: true }, unevaluatedProperties: false },
    { properties: { c: { $ref: '#/properties/ab' }, ab: number }, patternProperties: { '^ab$': small } },
    { patternProperties: { '^a': { patternProperties: { '^a': number }, additionalProperties: false } } },
    { patternProperties: { '^a': { $ref: '#/$defs/small' } }, $defs: { small } },
    { patternProperties: { '^a': false } },
  ]
  const values: JsonValue[] = [
    {},
    { a: 1 },
    { a: 'x' },
    { ab: 5 },
    { ab: 50 },
    { ab: 1.5 },
    { b: 10 },
    { b: 'b' },
    { c: 'x' },
    { c: 10 },
    { a: 1, c: 1 },
    { a: { a: 1 } },
    { a: { a: 'x' } },
    { a: { b: 1 } },
    { d: { a: 'x' } },
    'a',
    5,
  ]

  it.each(schemas.map((schema) => [JSON.stringify(schema), schema] as const))(
    '%s allows what ajv allows',
    (_, schema) => {
      const fits = new Ajv2020({ strict: false }).compile(schema)
      for (const value of values)
        expect(problemsOf(schema, value).length === 0, JSON.stringify(value)).toBe(fits(value))
    },
  )

  it.each(['__proto__', 'constructor'])('%s is a name like any other', (name) => {
    const value = JSON.parse(`{"${name}": "x"}`)
    expect(problemsOf({ patternProperties: { o: number } }, value)).toHaveLength(1)
    expect(problemsOf({ patternProperties: { o: true }, additionalProperties: false }, value)).toEqual([])
    expect(problemsOf({ patternProperties: { a: true }, unevaluatedProperties: false }, value)).toHaveLength(
      1,
    )
  })

  it('a value that does not fit is reported with its place', () => {
    const schema = { patternProperties: { '^a': { items: { type: 'number' } } } }
    expect(problemsOf(schema, { ab: [1, 'x'] })[0]?.path).toBe('/default_value/ab/1')
  })

  it('a pattern that cannot be matched in linear time is refused with its place', () => {
    expect(problemsOf({ patternProperties: { '(x)\\1': true } }, null)[0]?.path).toBe(
      '/value_schema/patternProperties/(x)\\1',
    )
    expect(problemsOf({ patternProperties: ['a'] }, null)[0]?.path).toBe('/value_schema/patternProperties')
    expect(problemsOf({ patternProperties: { a: 5 } }, null)[0]?.path).toBe(
      '/value_schema/patternProperties/a',
    )
  })
})

describe('a reference', () => {
  it.each(['#/$defs/b', '#b', '#/$defs/a/type', '#/toString', '#/title'])(
    'to no schema is refused: %s',
    ($ref) => {
      const schema = { title: 'x', $defs: { a: { type: 'number' } }, items: { $ref } }
      expect(problemsOf(schema, null).map(({ path }) => path)).toEqual(['/value_schema/items/$ref'])
    },
  )

  it.each(['#', '#/$defs/a~1b', '#here', '#/allOf/0'])('to a schema is accepted: %s', ($ref) => {
    const schema = { $defs: { 'a/b': { $anchor: 'here' } }, allOf: [true], items: { $ref } }
    expect(problemsOf(schema, [[]])).toEqual([])
  })
})

/** Returns a value that counts how often its parts are read and how many names are listed. */
function watchReads(value: JsonValue) {
  let count = 0
  const known = new Map<object, object>()
  const watch = <T>(part: T): T => {
    if (typeof part !== 'object' || part === null) return part
    const watched = known.get(part) ?? new Proxy<T & object>(part, traps)
    known.set(part, watched)
    // A proxy has the type of its target.
    return watched as T
  }
  const traps: ProxyHandler<object> = {
    get(target, name, receiver) {
      count += 1
      return watch(Reflect.get(target, name, receiver))
    },
    getOwnPropertyDescriptor(target, name) {
      count += 1
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys(target) {
      const names = Reflect.ownKeys(target)
      count += names.length
      return names
    },
  }
  return { value: watch(value), reads: () => count }
}

const TOO_LONG = [{ path: '/value_schema', message: expect.stringContaining('takes too long') }]
/** The reads of a value for one flag. One step is never many reads. */
const READS_MAX = 2_000_000

const list = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const twice = (inner: JsonValue, levels: number): Record<string, JsonValue> => ({
  $defs: Object.fromEntries(
    list(levels + 1, (at) => {
      const $ref = `#/$defs/d${at + 1}`
      return [`d${at}`, at === levels ? inner : { allOf: [{ $ref }, { $ref }] }]
    }),
  ),
  $ref: '#/$defs/d0',
})

describe('a hostile schema', () => {
  const numbers = list(45_000, (at) => at)
  const fields = numbered(30_000, 'k', 1)
  const lists = list(9_000, () => [1, 2, 3, 4])

  it.each<[string, Record<string, JsonValue>, JsonValue]>([
    [
      'equal items in many branches',
      { anyOf: list(1_500, () => ({ uniqueItems: true, contains: false })) },
      numbers,
    ],
    ['equal items of lists', { allOf: list(400, () => ({ items: { uniqueItems: true } })) }, lists],
    [
      'many counts of names',
      { allOf: list(1_000, () => ({ minProperties: 1, maxProperties: 100_000 })) },
      fields,
    ],
    [
      'many dependent names',
      { allOf: list(9, () => ({ items: { dependentRequired: { a: list(900, (at) => `k${at}`) } } })) },
      list(9_000, () => ({ a: 1 })),
    ],
    ['a large enum in many branches', { anyOf: list(700, () => ({ enum: [numbers.slice(0, 9)] })) }, numbers],
    [
      'a large constant for many items',
      { items: { anyOf: list(200, () => ({ const: fields.k1 ? { a: 1 } : 0 })) } },
      list(20_000, () => ({ a: 2 })),
    ],
    [
      'contains in many branches',
      { allOf: list(1_500, () => ({ contains: { const: -1 }, minContains: 0, maxContains: 1 })) },
      numbers,
    ],
    [
      'branches in branches',
      { items: { anyOf: [...list(30, () => ({ oneOf: list(30, () => ({ type: 'null' })) })), true] } },
      numbers,
    ],
    ['many conditions', { allOf: list(900, () => ({ if: { items: true }, else: false })) }, numbers],
    ['many patterns for names', { patternProperties: numbered(900, '^x', true) }, fields],
    [
      'many dependent schemas',
      { dependentSchemas: numbered(2_000, 'k', { propertyNames: { maxLength: 9 } }) },
      fields,
    ],
    [
      'many first items',
      { allOf: list(90, () => ({ prefixItems: list(100, () => ({ minProperties: 1 })) })) },
      list(100, () => numbered(300, 'k', 1)),
    ],
    ['references that multiply', twice({ items: { type: 'number' } }, 18), numbers],
    [
      'evaluated fields of many branches',
      {
        anyOf: list(900, () => ({ properties: numbered(3, 'k', true), additionalProperties: true })),
        unevaluatedProperties: false,
      },
      fields,
    ],
  ])('reads a value about as often as it has parts: %s', (_, schema, value) => {
    const watched = watchReads(value)
    problemsOf(schema, watched.value)
    expect(watched.reads()).toBeLessThan(READS_MAX)
  })

  it.each<[string, Record<string, JsonValue>, JsonValue]>([
    ['references that multiply', twice({ items: { type: 'number' } }, 18), numbers],
    ['references without an end', { $ref: '#' }, 1],
    ['many patterns for many names', { patternProperties: numbered(900, '^x', true) }, fields],
    [
      'branches in branches',
      { items: { anyOf: [...list(30, () => ({ oneOf: list(30, () => ({ type: 'null' })) })), true] } },
      numbers,
    ],
  ])('is refused: %s', (_, schema, value) => {
    expect(problemsOf(schema, value)).toEqual(TOO_LONG)
  })

  it.each<[string, Record<string, JsonValue>, JsonValue]>([
    ['a list of 90,000 numbers', { type: 'array', items: { type: 'number' } }, list(90_000, (at) => at)],
    [
      'many names and many properties',
      { properties: numbered(4_000, 'k', true), additionalProperties: { type: 'integer' } },
      numbered(20_000, 'x', 1),
    ],
    [
      'many names that a pattern matches',
      { patternProperties: { '^x': true }, additionalProperties: false },
      numbered(9_000, 'x', 1),
    ],
    [
      '500 objects with patterns',
      {
        patternProperties: {
          '^user-[0-9]+$': {
            patternProperties: { '^[a-z]+$': { type: 'string' } },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
      numbered(500, 'user-', { name: 'a', city: 'b' }),
    ],
    [
      '2,000 records with texts that patterns match',
      {
        items: {
          properties: {
            id: { type: 'string', pattern: '^[a-z0-9-]{1,40}$' },
            size: { type: 'integer', minimum: 0 },
          },
          required: ['id'],
        },
      },
      list(2_000, (at) => ({ id: `record-${at}`, size: at })),
    ],
  ])('is none: %s', (_, schema, value) => {
    expect(problemsOf(schema, value)).toEqual([])
  })
})

describe('a stored flag whose check takes too long', () => {
  const value_schema = { items: { anyOf: [...list(60, () => ({ enum: [] })), { type: 'number' }] } }
  const value = list(40_000, (at) => at)
  const rule = (variant: JsonValue) =>
    ({ attribute: 'plan', operator: 'equals', values: ['a'], variant }) as const
  const flagOf = (more: object) =>
    toFlagContent({
      key: 'f',
      is_enabled: true,
      flag_type: 'json',
      default_value: value,
      value_schema,
      ...more,
    })
  const before = flagOf({ rules: [rule(value), rule([])] })
  const problems = (more: object) =>
    validateValueSchema(
      flagOf(more),
      before,
      createCheckBudget(() => 0),
    )

  it.each<[string, object]>([
    ['it is disabled', { is_enabled: false, rules: before.rules }],
    ['its rules change places', { rules: [rule([]), rule(value)] }],
    ['a value is removed', { rules: [] }],
    ['it has no schema any more', { value_schema: undefined }],
  ])('is accepted when %s', (_, more) => {
    expect(problems(more)).toEqual([])
  })

  it.each<[string, object]>([
    ['it gets another large value', { rules: [rule([...value, 1])] }],
    ['its schema changes', { value_schema: { ...value_schema, minItems: 1 } }],
  ])('is refused when %s', (_, more) => {
    expect(problems(more)).toEqual(TOO_LONG)
  })

  it('still has its new values checked', () => {
    expect(problems({ rules: [rule(value), rule(['x'])] })).toMatchObject([{ path: '/rules/1/variant/0' }])
  })
})

describe('the budget of a request', () => {
  const content = (at: number) =>
    toFlagContent({
      ...{ key: 'f', is_enabled: true, flag_type: 'json', value_schema: { items: { type: 'number' } } },
      default_value: list(60_000, () => at),
    })

  it('is shared by all changes, and a change beyond it is refused', () => {
    const budget = createCheckBudget(() => 0)
    const all = list(30, (at) => validateValueSchema(content(at), null, budget))
    expect(all[0]).toEqual([])
    expect(all.at(-1)).toMatchObject([
      { path: '/value_schema', message: expect.stringContaining('beside the others') },
    ])
  })

  it('ends one check by time too, with a refusal that may be repeated', () => {
    let nowMs = 0
    const late = createCheckBudget(() => (nowMs += 1_500))
    expect(() => validateValueSchema(content(1), null, late)).toThrow(
      expect.objectContaining({ kind: 'unavailable' }),
    )
  })
})
