import { type Endpoint, endpoints } from '@burgee/contract'
import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { createValidators, toProblems } from '../../../../src/http/requests/validators.ts'
import { PATTERN_TEXTS } from '../../../../src/http/responses/describe-problem.ts'

const { body } = createValidators()

function textsFor(schema: TSchema, input: unknown): string[] {
  const fits = body(Type.Object({ it: schema }))
  expect(fits({ it: input })).toBe(false)
  return toProblems(fits.errors ?? []).map(({ message }) => message)
}

describe('a problem', () => {
  it.each([
    [Type.String(), 7, 'must be text'],
    [Type.Union([Type.String(), Type.Null()]), 7, 'must be text or null'],
    [
      Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
      [],
      'must be text, a number or true or false',
    ],
    [
      Type.Union([Type.Union([Type.String(), Type.Number()]), Type.Null()]),
      {},
      'must be text, a number or null',
    ],
    [Type.Integer(), '7', 'must be a whole number'],
    [Type.Boolean(), 'true', 'must be true or false'],
    [Type.Array(Type.String()), {}, 'must be a list'],
    [Type.Object({}), [], 'must be an object'],
    [Type.Enum(['pending', 'approved']), 'open', 'must be one of pending, approved'],
    [Type.Integer({ minimum: 0, maximum: 100 }), 101, 'must be from 0 to 100'],
    [Type.Integer({ minimum: 1 }), 0, 'must be at least 1'],
    [Type.String({ minLength: 1, pattern: '\\S' }), '', 'must not be empty'],
    [Type.String({ minLength: 1, pattern: '\\S' }), ' ', 'must not be blank'],
    [Type.String({ maxLength: 3 }), 'a👩b字c', 'may have at most 3 characters and has 5'],
    [
      Type.Array(Type.String(), { maxItems: 1_000 }),
      Array(1_001).fill(''),
      'may have at most 1,000 items and has 1,001',
    ],
    [
      Type.String({ format: 'uuid', minLength: 36, maxLength: 36 }),
      'x',
      'must be an id such as 3f0a5c1e-8f7b-4d2a-9c64-2b1d7e90a4c8',
    ],
    [Type.String({ format: 'date-time' }), 'now', 'must be a time such as 2026-01-31T09:30:00Z'],
    [Type.Object({}, { additionalProperties: false }), { b: 1 }, 'must not have the field "b"'],
    [
      Type.Object({}, { additionalProperties: false }),
      { ['b'.repeat(5_000)]: 1 },
      `must not have the field "${'b'.repeat(100)}…"`,
    ],
    [
      Type.Record(Type.String(), Type.String(), { maxProperties: 1 }),
      { a: '', b: '' },
      'may have at most 1 entries and has 2',
    ],
    [
      Type.Array(Type.String(), { uniqueItems: true }),
      ['a', 'b', 'a'],
      'must have each item once; those at 0 and 2 are equal',
    ],
  ])('is said once, without the words of a validator: %#', (schema, input, expected) => {
    expect(textsFor(schema, input)).toEqual([expected])
  })

  it('of a whole body says so', () => {
    const fits = body(Type.Object({}))
    expect(fits([])).toBe(false)
    expect(toProblems(fits.errors ?? [])).toEqual([{ path: '', message: 'The body must be an object.' }])
  })
})

describe('every kind of rule in the contract', () => {
  /** The keywords that have a text; any other would be described in the words of the validator. */
  const DESCRIBED = [
    ...['type', 'enum', 'const', 'pattern', 'format', 'minimum', 'maximum', 'minLength', 'maxLength'],
    ...['minItems', 'maxItems', 'minProperties', 'maxProperties', 'uniqueItems', 'required'],
    ...[
      'additionalItems',
      'additionalProperties',
      'anyOf',
      'allOf',
      'patternProperties',
      'properties',
      'items',
    ],
  ]
  const ANNOTATIONS = ['description', 'examples', 'default', 'title', 'writeOnly']

  it('has a text', () => {
    const inputs = Object.values(endpoints).map((endpoint: Endpoint) => [endpoint.body, endpoint.query])
    const unknown = new Set(inputs.flat().flatMap(keywordsOf))
    expect(unknown).toContain('pattern')
    for (const keyword of [...DESCRIBED, ...ANNOTATIONS]) unknown.delete(keyword)
    expect([...unknown]).toEqual([])
  })
})

/** The keywords of a schema and of the schemas in it. */
function keywordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, patternProperties, items, anyOf, allOf, additionalProperties } = Object(schema)
  const inner = [properties, patternProperties].flatMap((named) => Object.values(named ?? {}))
  const listed = [items, anyOf, allOf, additionalProperties].flat()
  return [...Object.keys(schema), ...[...inner, ...listed].flatMap(keywordsOf)]
}

describe('every pattern of the contract', () => {
  const patterns = new Set(
    [...JSON.stringify(endpoints).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => text),
  )

  it.each([...patterns].map((text) => String(JSON.parse(text ?? '""'))))('has a text: %s', (pattern) => {
    expect(PATTERN_TEXTS).toHaveProperty([pattern])
  })
})
