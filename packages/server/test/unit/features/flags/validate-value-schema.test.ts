import type { JsonValue } from '@burgee/evaluation'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { toFlagContent } from '../../../../src/features/flags/flag.ts'
import { validateValueSchema } from '../../../../src/features/flags/value-schema/validate-value-schema.ts'

const problemsOf = (value_schema: Record<string, JsonValue>, default_value: JsonValue) =>
  validateValueSchema(
    toFlagContent({ key: 'f', is_enabled: true, flag_type: 'json', default_value, value_schema }),
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

describe('a hostile schema', () => {
  const tooLong = [{ path: '/value_schema', message: expect.stringContaining('takes too long') }]

  it.each<[string, Record<string, JsonValue>, JsonValue]>([
    [
      'many names and many properties',
      { properties: numbered(4_000, 'k', true), additionalProperties: { type: 'integer' } },
      numbered(20_000, 'x', 1),
    ],
    [
      'many names that are properties',
      { properties: numbered(3_000, 'k', true), additionalProperties: false },
      numbered(3_000, 'k', 1),
    ],
    [
      'many names that a pattern matches',
      { patternProperties: { '^x': true }, additionalProperties: false },
      numbered(20_000, 'x', 1),
    ],
  ])('is refused at once: %s', (_, schema, value) => {
    const start = process.cpuUsage()
    expect(problemsOf(schema, value)).toEqual(tooLong)
    const { system, user } = process.cpuUsage(start)
    expect((system + user) / 1_000).toBeLessThan(500)
  })

  it('objects of usual size are accepted', () => {
    const user = { patternProperties: { '^[a-z]+$': { type: 'string' } }, additionalProperties: false }
    const schema = { patternProperties: { '^user-[0-9]+$': user }, additionalProperties: false }
    expect(problemsOf(schema, numbered(500, 'user-', { name: 'a', city: 'b' }))).toEqual([])
  })
})
