import { readFileSync } from 'node:fs'
import { segmentsBehind, type TargetingRule } from '@burgee/contract'
import type { EvaluatedFlag, FlagType } from '@burgee/evaluation'
import { describe, expect, it } from 'vitest'
import { expandRules as expandFor } from '../../../../src/targeting/rules/expand-rules.ts'
import type { SegmentMembers, Segments } from '../../../../src/targeting/rules/segment-members.ts'

const country = (code: string, more: Partial<TargetingRule> = {}): TargetingRule => ({
  attribute: 'country',
  operator: 'equals',
  values: [code],
  ...more,
})
const inSegment = (segment_key: string, more: Partial<TargetingRule> = {}): TargetingRule => ({
  segment_key,
  ...more,
})
const expandRules = (rules: TargetingRule[], all: Segments) => expandFor(rules, all, 'string')
const segments = (all: Record<string, TargetingRule[] | SegmentMembers>): Segments =>
  new Map(Object.entries(all).map(([key, given]) => [key, Array.isArray(given) ? { rules: given } : given]))

describe('expanding a rule with segment_key', () => {
  it("a segment's rules replace the reference in place, in order", () => {
    const rules = [country('a'), inSegment('s'), country('d')]
    expect(expandRules(rules, segments({ s: [country('b'), country('c')] }))).toEqual(
      ['a', 'b', 'c', 'd'].map((code) => country(code)),
    )
  })

  it("a segment's rules without a variant inherit that of the reference", () => {
    const rules = [inSegment('s', { variant: 'outer' })]
    const expanded = expandRules(rules, segments({ s: [country('b'), country('c', { variant: 'own' })] }))
    expect(expanded.map(({ variant }) => variant)).toEqual(['outer', 'own'])
  })

  it("a segment's rules get the conditions of the reference in addition to their own", () => {
    const extra = { attribute: 'plan', operator: 'equals' as const, values: ['pro'] }
    const own = { attribute: 'age', operator: 'greater_than' as const, values: ['18'] }
    const rules = [inSegment('s', { conditions: [extra] })]
    const expanded = expandRules(rules, segments({ s: [country('b', { conditions: [own] }), country('c')] }))
    expect(expanded.map(({ conditions }) => conditions)).toEqual([[own, extra], [extra]])
  })

  it('a reference is expanded whatever its own attribute, operator and values', () => {
    const rules = [inSegment('s', { attribute: 'x', operator: 'equals', values: ['y'] })]
    expect(expandRules(rules, segments({ s: [country('b')] }))).toEqual([country('b')])
  })

  it('segments are expanded recursively', () => {
    const rules = [inSegment('outer', { variant: 'v' })]
    const all = segments({ outer: [inSegment('inner'), country('b')], inner: [country('a')] })
    expect(expandRules(rules, all)).toEqual([country('a', { variant: 'v' }), country('b', { variant: 'v' })])
  })

  it('and a variant that does not fit the type of the flag is left out', () => {
    const all = segments({
      s: [country('a', { variant: true }), country('b', { variant: 'fits' }), country('c')],
      outer: [inSegment('s', { variant: 7 })],
    })
    const variantsOf = (rules: TargetingRule[], type: FlagType | null) =>
      expandFor(rules, all, type).map(({ variant }) => variant)
    expect(variantsOf([inSegment('s')], 'string')).toEqual([undefined, 'fits', undefined])
    expect(variantsOf([inSegment('outer')], 'integer')).toEqual([undefined, undefined, 7])
    expect(variantsOf([inSegment('outer')], 'boolean')).toEqual([true, undefined, undefined])
    expect(variantsOf([inSegment('outer')], 'json')).toEqual([true, 'fits', 7])
    expect(variantsOf([inSegment('s')], null)).toEqual([true, 'fits', undefined])
  })

  it('an unknown segment expands to nothing', () => {
    expect(expandRules([inSegment('gone'), country('a')], segments({}))).toEqual([country('a')])
  })

  it('a cycle of segments expands to nothing', () => {
    const all = segments({ a: [inSegment('b'), country('x')], b: [inSegment('a'), country('y')] })
    expect(expandRules([inSegment('a')], all)).toEqual([country('y'), country('x')])
  })

  it('the same segment may be referenced twice', () => {
    const all = segments({ s: [country('a')] })
    expect(expandRules([inSegment('s'), inSegment('s')], all)).toHaveLength(2)
  })

  it('up to 10,000 rules and references are expanded; more are refused, whatever their result', () => {
    const many = (key: string) => Array.from({ length: 5_000 }, () => inSegment(key))
    const all = segments({ a: many('b'), b: many('c'), c: many('nothing') })
    expect(() => expandRules([inSegment('a')], all)).toThrowError(/at most 10000 rules/)
  })

  it('up to 50 levels of segments are expanded', () => {
    const chain = (levels: number) =>
      segments({
        ...Object.fromEntries(
          Array.from({ length: levels - 1 }, (_, level) => [`s${level}`, [inSegment(`s${level + 1}`)]]),
        ),
        [`s${levels - 1}`]: [country('a')],
      })
    expect(expandRules([inSegment('s0')], chain(50))).toHaveLength(1)
    expect(() => expandRules([inSegment('s0')], chain(51))).toThrowError(/50 levels/)
  })

  it('up to 2 MiB of JSON are expanded, including what a reference adds to every rule', () => {
    const values = Array.from({ length: 2_000 }, (_, index) => `value ${index}`)
    const conditions = [{ attribute: 'a', operator: 'equals' as const, values }]
    const all = segments({ s: Array.from({ length: 1_000 }, () => country('a')) })
    expect(() => expandRules([inSegment('s', { conditions })], all)).toThrowError(/characters/)
  })
})

describe('the published vectors of segments', () => {
  const file = new URL('../../../../../evaluation/vectors/segments.json', import.meta.url)
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
    vectors: {
      title: string
      segments: Record<string, TargetingRule[] | SegmentMembers>
      flag: EvaluatedFlag & { rules: TargetingRule[] }
      expanded: object[]
    }[]
  }

  it.each(vectors.map((vector) => [vector.title, vector] as const))('%s', (_title, vector) => {
    const { expanded, flag, segments: all } = vector
    expect(expandFor(flag.rules, segments(all), flag.flag_type)).toEqual(expanded)
  })
})

describe('the segments behind rules', () => {
  it('the segments behind rules are direct and indirect ones, cycles included', () => {
    const all = segments({ a: [inSegment('b')], b: [inSegment('a'), inSegment('c')], d: [] })
    expect(segmentsBehind([inSegment('a'), country('x')], all)).toEqual(new Set(['a', 'b', 'c']))
  })
})
