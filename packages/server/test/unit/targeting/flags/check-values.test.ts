import type { JsonValue } from '@burgee/evaluation'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Check } from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import { createCheckBudget } from '../../../../src/kernel/check-budget.ts'
import { toFlagContent } from '../../../../src/targeting/flag-model/flag.ts'
import { validateValueSchema } from '../../../../src/targeting/flag-model/value-schema/validate-value-schema.ts'
import { createRandom, seedOf } from '../../../fuzz/random.ts'
import { randomSchema, randomValue, type SchemaObject } from './random-schema.ts'

const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 3)
const SCHEMAS = process.env.BURGEE_FULL === '1' ? 5_000 : 120
const VALUES = 12
/** Compiling schemas takes ajv most of it. */
const PATIENCE_MS = 3_600_000

const fits = (value_schema: SchemaObject, default_value: JsonValue): boolean => {
  const flag = { key: 'f', is_enabled: true, flag_type: 'json', default_value, value_schema } as const
  return (
    validateValueSchema(
      toFlagContent(flag),
      null,
      createCheckBudget(() => 0),
    ).length === 0
  )
}

/** Returns what two others decide, of which each errs in places. */
function opinionsOf(schema: SchemaObject): (value: JsonValue) => readonly boolean[] {
  const validate = new Ajv2020({ strict: false, logger: false }).compile(schema)
  return (value) => {
    const second = Check(schema, value)
    try {
      return [validate(value), second]
    } catch {
      // The code that ajv makes of some schemas with unevaluated parts reads what it has not set.
      return [second]
    }
  }
}

describe('the check of values by a schema', () => {
  it('decides random schemas and values as one of two others does', { timeout: PATIENCE_MS }, () => {
    const different: string[] = []
    const unevaluated: string[] = []
    let misfits = 0
    let decisions = 0
    for (let nth = 0; nth < SCHEMAS; nth += 1) {
      const random = createRandom(seedOf(SEED, nth))
      const schema = randomSchema(random)
      const text = JSON.stringify(schema)
      // Others take what a failed `contains` has found as evaluated; the cases below have it.
      if (/"contains".*"unevaluatedItems|"unevaluatedItems.*"contains"/.test(text)) continue
      const opinions = opinionsOf(schema)
      const found = text.includes('"unevaluated') ? unevaluated : different
      for (let at = 0; at < VALUES; at += 1) {
        const value = randomValue(random)
        // Null always fits.
        if (value === null) continue
        const isFit = fits(schema, value)
        decisions += 1
        if (!isFit) misfits += 1
        if (!opinions(value).includes(isFit)) found.push(`${JSON.stringify([schema, value])}: ${isFit}`)
      }
    }
    expect(different.slice(0, 3)).toEqual([])
    // Rarely both others err about unevaluated items; the cases below have these errors.
    expect(unevaluated.length, unevaluated[0]).toBeLessThan(decisions / 1_000)
    expect(misfits).toBeGreaterThan(SCHEMAS)
  })

  it.each<[string, SchemaObject, JsonValue, boolean]>([
    [
      'an item that contains finds is evaluated',
      { contains: { const: 1 }, unevaluatedItems: false },
      [1, 1],
      true,
    ],
    ['another item is not', { contains: { const: 1 }, unevaluatedItems: false }, [1, 2], false],
    [
      'items of an item are no items of the list',
      {
        unevaluatedItems: { not: { maxItems: 0 }, anyOf: [{ prefixItems: [true, true] }] },
        oneOf: [{ prefixItems: [false] }, true],
      },
      [['a', false], 2],
      false,
    ],
    [
      'a failed condition evaluates nothing',
      { if: { not: true, unevaluatedItems: true }, unevaluatedItems: false },
      [2],
      false,
    ],
    ['an empty list contains nothing', { prefixItems: [false], contains: true }, [], false],
    [
      'what a branch without success evaluates is not evaluated',
      { anyOf: [{ properties: { a: { const: 1 } } }, true], unevaluatedProperties: false },
      { a: 2 },
      false,
    ],
    [
      'not evaluates nothing',
      { not: { not: { properties: { a: true } } }, unevaluatedProperties: false },
      { a: 1 },
      false,
    ],
    [
      'equal objects have another order of fields',
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    ['a number is not equal to its text', { uniqueItems: true }, [1, '1', [1], ['1'], null, 'null'], true],
    [
      'long texts of one length differ',
      { uniqueItems: true },
      [`${'x'.repeat(20_000)}1`, `${'x'.repeat(20_000)}2`],
      true,
    ],
    ['equal long texts are equal', { uniqueItems: true }, ['x'.repeat(20_000), 'x'.repeat(20_000)], false],
    ['0.3 is a multiple of 0.1', { multipleOf: 0.1 }, 0.3, true],
    ['characters are code points', { maxLength: 2 }, '😀😀', true],
    [
      'a reference leads into patternProperties',
      { patternProperties: { '^a': { type: 'number' } }, $ref: '#/patternProperties/^a' },
      'x',
      false,
    ],
    [
      'a tree refers to itself',
      { type: 'object', additionalProperties: { $ref: '#' } },
      { a: { b: { c: {} } } },
      true,
    ],
    [
      'a tree has another leaf',
      { type: 'object', additionalProperties: { $ref: '#' } },
      { a: { b: { c: 1 } } },
      false,
    ],
  ])('%s', (_, schema, value, isFit) => {
    expect(fits(schema, value)).toBe(isFit)
  })
})
