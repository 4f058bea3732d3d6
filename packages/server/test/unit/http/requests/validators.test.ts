import { type Endpoint, endpoints } from '@burgee/contract'
import { Ajv } from 'ajv'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { createValidators, toProblems } from '../../../../src/http/requests/validators.ts'
import { toInstant } from '../../../../src/kernel/instant.ts'

const { body, query } = createValidators()

it.each(Object.entries<Endpoint>(endpoints))(
  'the schemas of %s are valid JSON Schema, which the server does not check',
  (_, endpoint) => {
    const ajv = new Ajv()
    for (const schema of [endpoint.body, endpoint.query, endpoint.params]) {
      if (schema) expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true)
    }
  },
)

describe('a timestamp', () => {
  const fits = body(Type.Object({ at: Type.String({ format: 'date-time' }) }))

  it.each([
    ['2026-01-05T10:00:00Z', '2026-01-05T10:00:00.000Z'],
    ['2026-01-05t10:00:00z', '2026-01-05T10:00:00.000Z'],
    ['2026-01-05 10:00:00Z', '2026-01-05T10:00:00.000Z'],
    ['2026-01-05T10:00:00.123456789Z', '2026-01-05T10:00:00.123Z'],
    ['2026-01-05T10:00:00+01:00', '2026-01-05T09:00:00.000Z'],
    ['2026-01-05T10:00:00-00:00', '2026-01-05T10:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T00:59:60+01:00', '2017-01-01T00:00:00.000Z'],
  ])('a timestamp of RFC 3339 is valid: %s', (at, instant) => {
    expect(fits({ at })).toBe(true)
    expect(toInstant(at)).toBe(instant)
  })

  it.each([
    '2026-01-05T10:00:00+01',
    '2026-01-05T10:00:00+0100',
    '2026-01-05T10:00:00',
    '2026-01-05\n10:00:00Z',
    '2026-01-05\t10:00:00Z',
    '2026-01-05\u00a010:00:00Z',
    '2026-01-05T10:00:00Z\n',
    ' 2026-01-05T10:00:00Z',
    '2026-01-05T10:00Z',
    '2026-01-05T24:00:00Z',
    '2026-02-30T10:00:00Z',
    '2026-01-05',
    'now',
    'infinity',
    '',
  ])('a timestamp in another format is invalid: %j', (at) => {
    expect(fits({ at })).toBe(false)
  })
})

describe('numbers in a query', () => {
  const schema = Type.Object({
    limit: Type.Optional(Type.Integer()),
    flag_key: Type.Optional(Type.String()),
  })

  it.each([
    ['5', 5],
    ['+5', 5],
    ['-1', -1],
    ['007', 7],
    ['99999999999999999999', 1e20],
  ])('a plain whole number is valid in a query: limit=%s', (limit, read) => {
    const input: Record<string, unknown> = { limit }
    expect(query(schema)(input)).toBe(true)
    expect(input).toEqual({ limit: read })
  })

  it.each(['0x10', '1e1', ' 5', '5 ', '5\n', '5.0', '', '+', '--5', '1_000', '٣', 'NaN', 'Infinity', 'true'])(
    'other notations are refused in a query, with the field: limit=%j',
    (limit) => {
      const fits = query(schema)
      expect(fits({ limit })).toBe(false)
      expect(toProblems(fits.errors ?? [])).toEqual([{ path: '/limit', message: 'must be a whole number' }])
      expect(fits({ limit: '5' })).toBe(true)
    },
  )

  it('text in a query is unchanged, and undeclared parameters are removed', () => {
    const input = { flag_key: '0x10', environment_id: 'x', key: 'y', __proto__x: 1 }
    expect(query(schema)(input)).toBe(true)
    expect(input).toEqual({ flag_key: '0x10' })
  })
})

describe('undeclared fields of a body', () => {
  it('undeclared fields of a body are kept, because writes warn of them', () => {
    const input = { known: 1, unknown: 2 }
    expect(body(Type.Object({ known: Type.Integer() }))(input)).toBe(true)
    expect(input).toEqual({ known: 1, unknown: 2 })
  })
})

describe('a body with very many errors', () => {
  const Rule = Type.Object({ attribute: Type.String(), values: Type.Array(Type.String()) })
  const fits = body(
    Type.Object({
      rules: Type.Optional(Type.Union([Type.Array(Rule), Type.Null()])),
      tags: Type.Array(Type.String()),
    }),
  )
  const problemsOf = (input: object) => {
    expect(fits(input)).toBe(false)
    return toProblems(fits.errors ?? [])
  }

  it.each([
    ['items of a wrong type', { rules: Array(100_000).fill(0), tags: [] }],
    ['items that lack their fields', { rules: Array(100_000).fill({}), tags: [] }],
    ['items of items', { rules: [{ attribute: 'a', values: Array(100_000).fill(0) }], tags: [] }],
    ['items of a list that must not be null', { rules: null, tags: Array(100_000).fill(0) }],
  ])('a body with very many errors is not validated to its end: %s', (_, input) => {
    expect(problemsOf(input)).toHaveLength(50)
    expect(fits.errors?.length).toBeLessThan(300)
  })

  it('all errors of a body are listed up to 50, wherever they are', () => {
    const rules = Array.from({ length: 2_000 }, (_, index) =>
      index % 50 === 0 ? { attribute: 1 } : { attribute: 'a', values: [] },
    )
    const paths = problemsOf({ rules: rules.slice(0, 1_000), tags: ['a', 1] }).map(({ path }) => path)
    expect(paths).toHaveLength(41)
    expect(paths).toContain('/rules/950/attribute')
    expect(paths).toContain('/rules/950/values')
    expect(paths).toContain('/tags/1')
  })
})
