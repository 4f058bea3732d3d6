import { describe, expect, it } from 'vitest'
import { compareProportions } from '../../../../../src/insight/experiments/statistics/compare-proportions.ts'
import type { Proportion } from '../../../../../src/insight/experiments/statistics/proportion.ts'
import { requiredPerVariant } from '../../../../../src/insight/experiments/statistics/required-per-variant.ts'
import { compareSequentially } from '../../../../../src/insight/experiments/statistics/sequential-comparison.ts'

const RELATIVE_ERROR_MAX = 1e-9

/**
 * Users and conversions, with the results of mpmath 1.3 at 40 digits for the formulas of docs/statistics.md.
 * `sequential` is p-value, low, high.
 */
const REFERENCES = [
  {
    variant: [200, 40],
    control: [200, 20],
    z: 2.8005601680560197,
    p: 0.005101399646004981,
    interval: [0.030704808782516104, 0.1692951912174839],
    sequential: [0.2721861417112457, -0.04459457133952188, 0.2445945713395219],
    required: 199,
  },
  {
    variant: [599, 100],
    control: [605, 70],
    z: 2.5529912046475958,
    p: 0.010680219319334104,
    interval: [0.011979802282860837, 0.09050505540005421],
    sequential: [0.1982473887437038, -0.014315071385509743, 0.11679992906842479],
    required: 725,
  },
  {
    variant: [1000, 100],
    control: [1000, 101],
    z: -0.07437061749914003,
    p: 0.9407154878788406,
    interval: [-0.027353973387758388, 0.025353973387758386],
    sequential: [1.0, -0.042911007861182585, 0.04091100786118258],
    required: 1419073,
  },
  {
    variant: [10000, 1200],
    control: [10000, 1000],
    z: 4.519846147055687,
    p: 6.188458781738718e-6,
    interval: [0.011331728284555385, 0.028668271715444615],
    sequential: [0.0002881383194433701, 0.006146420903518858, 0.033853579096481144],
    required: 3841,
  },
  {
    variant: [5000, 600],
    control: [95000, 9500],
    z: 4.574422432116584,
    p: 4.7753548250452315e-6,
    interval: [0.010792889320174345, 0.029207110679825656],
    sequential: [0.0008709032944837592, 0.005319854686973259, 0.03468014531302674],
    required: 3841,
  },
  {
    variant: [40000, 6000],
    control: [40000, 5000],
    z: 10.266540046786908,
    p: 9.971702136475435e-25,
    interval: [0.020230446671458843, 0.029769553328541157],
    sequential: [2.2183266410311725e-22, 0.016938888475484123, 0.03306111152451588],
    required: 2978,
  },
  {
    variant: [120, 60],
    control: [80, 8],
    z: 5.850179393017045,
    p: 4.910431094881152e-9,
    interval: [0.28898342293576007, 0.51101657706424],
    sequential: [0.019042467653903054, 0.05027301516552729, 0.7497269848344728],
    required: 20,
  },
  {
    variant: [300, 12],
    control: [3000, 300],
    z: -3.386584228099602,
    p: 0.0007076854911544519,
    interval: [-0.08463636526904227, -0.03536363473095774],
    sequential: [0.04218963499673664, -0.11859840779065083, -0.0014015922093491779],
    required: 283,
  },
  {
    variant: [12, 9],
    control: [14, 4],
    z: 2.3603873774083293,
    p: 0.01825586058745929,
    interval: [0.12366754673446421, 0.8049038818369644],
    sequential: [0.9116296831026179, -1, 1],
    required: 17,
  },
] as const

const toProportion = ([exposed, converted]: readonly [number, number]): Proportion => ({ exposed, converted })
const cases = REFERENCES.map((reference) => ({
  ...reference,
  name: `${reference.variant.join('/')} against ${reference.control.join('/')}`,
  one: toProportion(reference.variant),
  other: toProportion(reference.control),
}))

function expectClose(value: number | undefined, reference: number): void {
  expect(Math.abs((value ?? Number.NaN) / reference - 1)).toBeLessThan(RELATIVE_ERROR_MAX)
}

describe('comparing two proportions', () => {
  it.each(cases)(
    'the proportions $name have the reference z, p-value and interval',
    ({ interval, one, other, p, z }) => {
      const compared = compareProportions(one, other)
      expectClose(compared.z_score ?? undefined, z)
      expectClose(compared.p_value ?? undefined, p)
      expectClose(compared.confidence_interval?.low, interval[0])
      expectClose(compared.confidence_interval?.high, interval[1])
    },
  )

  it.each(cases)(
    'the proportions $name have the reference sequential p-value and interval',
    ({ one, other, sequential }) => {
      const [p_value, low, high] = sequential
      const compared = compareSequentially(one, other)
      expectClose(compared?.p_value, p_value)
      expectClose(compared?.low, low)
      expectClose(compared?.high, high)
    },
  )

  it.each(cases)('the proportions $name need the reference sample', ({ one, other, required }) => {
    expect(requiredPerVariant(one, other)).toBe(required)
  })

  it.each(cases)('the proportions $name change sign when they are swapped', ({ one, other }) => {
    const there = compareProportions(one, other)
    const back = compareProportions(other, one)
    expect(back.z_score).toBe(-(there.z_score ?? 0))
    expect(back.p_value).toBe(there.p_value)
    expect(back.confidence_interval?.low).toBe(-(there.confidence_interval?.high ?? 0))
    expect(requiredPerVariant(other, one)).toBe(requiredPerVariant(one, other))
  })

  it('proportions of 0 or 1 cannot be compared', () => {
    const nobody = { exposed: 50, converted: 0 }
    const everybody = { exposed: 50, converted: 50 }
    const nothing = { z_score: null, p_value: null, confidence_interval: null }
    expect(compareProportions(nobody, nobody)).toEqual(nothing)
    expect(compareProportions(everybody, everybody)).toEqual(nothing)
    expect(compareProportions(everybody, nobody)).toMatchObject({ z_score: 10, confidence_interval: null })
    expect(compareSequentially(nobody, nobody)).toBeNull()
    expect(requiredPerVariant(nobody, { exposed: 7, converted: 0 })).toBeNull()
  })

  it('equal proportions have z 0 and p 1', () => {
    const compared = compareProportions({ exposed: 10, converted: 5 }, { exposed: 20, converted: 10 })
    expect(compared).toMatchObject({ z_score: 0, p_value: 1 })
  })
})

describe('the sequential comparison', () => {
  it('the sequential interval excludes 0 exactly when its p-value is below 0.05', () => {
    let significant = 0
    for (const exposed of [30, 100, 1_000, 30_000]) {
      for (let converted = 0; converted <= exposed; converted += exposed / 10) {
        const compared = compareSequentially(
          { exposed, converted },
          { exposed: 2 * exposed, converted: exposed },
        )
        if (!compared) continue
        const isOutside = compared.low > 0 || compared.high < 0
        expect(compared.p_value < 0.05).toBe(isOutside)
        significant += isOutside ? 1 : 0
      }
    }
    expect(significant).toBeGreaterThan(10)
  })

  it('the sequential test is weaker than the test for one look', () => {
    for (const { one, other, p } of cases) expect(compareSequentially(one, other)?.p_value).toBeGreaterThan(p)
  })

  it.each([
    ['fewer than 5 expected conversions', { exposed: 1_000, converted: 9 }, { exposed: 1_000, converted: 0 }],
    [
      'fewer than 5 expected users without a conversion',
      { exposed: 100, converted: 92 },
      { exposed: 100, converted: 99 },
    ],
    ['very few users of a variant', { exposed: 4, converted: 4 }, { exposed: 1_000, converted: 500 }],
  ])('the sequential test waits with %s', (_case, one, other) => {
    expect(compareSequentially(one, other)).toBeNull()
    expect(compareSequentially(other, one)).toBeNull()
  })

  it('the sequential interval has possible differences of two rates', () => {
    expect(compareSequentially({ exposed: 12, converted: 9 }, { exposed: 14, converted: 4 })).toMatchObject({
      p_value: expect.any(Number),
      low: -1,
      high: 1,
    })
  })
})
