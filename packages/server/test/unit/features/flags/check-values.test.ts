import type { JsonValue } from '@burgee/evaluation'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Check } from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import { toFlagContent } from '../../../../src/features/flags/flag.ts'
import { validateValueSchema } from '../../../../src/features/flags/value-schema/validate-value-schema.ts'
import { createCheckBudget } from '../../../../src/kernel/check-budget.ts'
import { createRandom, seedOf } from '../../../fuzz/random.ts'
import { randomSchema, randomValue, type SchemaObject } from './random-schema.ts'

const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 3)
const SCHEMAS = process.env.BURGEE_FULL === '1' ? 5_000 : 250
const VALUES = 12

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

/** Returns what others decide. About unevaluated parts, ajv errs in places, so that it is not the only one. */
function opinionsOf(schema: SchemaObject): (value: JsonValue) => readonly boolean[] {
  const validate = new Ajv2020({ strict: false, logger: false }).compile(schema)
  if (!JSON.stringify(schema).includes('"unevaluated')) return (value) => [validate(value)]
  return (value) => {
    try {
      return [validate(value), Check(schema, value)]
    } catch {
      // The code that ajv makes of some of these schemas reads what it has not set.
      return [Check(schema, value)]
    }
  }
}

describe('the check of values by a schema', () => {
  it('decides random schemas and values as ajv does, and where schemas leave parts unevaluated as one of two does', () => {
    const different: string[] = []
    let misfits = 0
    for (let nth = 0; nth < SCHEMAS; nth += 1) {
      const random = createRandom(seedOf(SEED, nth))
      const schema = randomSchema(random)
      // Others take what a failed `contains` has found as evaluated; the cases below have it.
      if (/"contains".*"unevaluatedItems|"unevaluatedItems.*"contains"/.test(JSON.stringify(schema))) continue
      const opinions = opinionsOf(schema)
      for (let at = 0; at < VALUES; at += 1) {
        const value = randomValue(random)
        // Null always fits.
        if (value === null) continue
        const isFit = fits(schema, value)
        if (!isFit) misfits += 1
        if (!opinions(value).includes(isFit)) different.push(`${JSON.stringify([schema, value])}: ${isFit}`)
      }
    }
    expect(different.slice(0, 3)).toEqual([])
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
