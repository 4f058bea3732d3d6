import { FlagInput, SegmentInput, type TargetingRule } from '@burgee/contract'
import { createFlagSet, type EvaluatedFlag, HASHES, OPERATORS } from '@burgee/evaluation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toFlagContent } from '../../../../src/features/flags/flag.ts'
import { toWireFlag } from '../../../../src/features/flags/to-wire-flag.ts'
import { validateFlag } from '../../../../src/features/flags/validate-flag.ts'
import { toRule } from '../../../../src/features/rules/to-rule.ts'
import { validateRules } from '../../../../src/features/rules/validate-rules.ts'
import { createValidators } from '../../../../src/http/validators.ts'

const { body } = createValidators()
const isFlag = body(FlagInput)
const isSegment = body(SegmentInput)

/** Now and then something that does not belong there. */
const mostly = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) })
const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, '', 'a', 0, 1, -1, 1.5, 2 ** 53, -0, 1e300),
  fc.jsonValue({ maxDepth: 2 }),
)
const valueFor = (flagType: unknown) => {
  if (flagType === 'boolean' || flagType === undefined) return fc.constantFrom<unknown>(true, false, null)
  if (flagType === 'string') return fc.constantFrom<unknown>('a', 'b', '', null)
  return flagType === 'integer' ? fc.constantFrom<unknown>(0, 1, -7, null) : value
}
const test = {
  attribute: mostly(fc.constantFrom('plan', 'age', '', '__proto__', 'constructor')),
  operator: mostly(fc.constantFrom(...OPERATORS)),
  values: mostly(fc.array(fc.constantFrom('pro', '18', '', '0x10', '1e999', '\u{10ffff}'), { maxLength: 3 })),
}
const segmentTest = fc.record({
  segment_key: fc.constantFrom('s0', 's1', 's2', 'gone'),
  operator: fc.constantFrom('in_segment', 'not_in_segment'),
})
const salt = mostly(fc.constantFrom<unknown>(null, '', 'summer:'))
/** The fields that divide users, of flags and of rules. */
const division = {
  rollout_thousandths: mostly(fc.constantFrom<unknown>(null, 0, 12_500, 100_000)),
  bucket_by: mostly(fc.constantFrom<unknown>(null, 'plan', '$user_key')),
  rollout_salt: salt,
  variant_salt: salt,
  hash: mostly(fc.constantFrom<unknown>(null, ...HASHES)),
}
const weighted = (of: fc.Arbitrary<unknown>) =>
  fc.array(fc.record({ weight: mostly(fc.nat({ max: 5 })), value: of }), { maxLength: 3 })
const rule = (variant: fc.Arbitrary<unknown>) =>
  fc.record(
    {
      ...test,
      ...division,
      off: mostly(fc.constantFrom<unknown>(true, false, null)),
      variants: fc.oneof(fc.constant([]), weighted(variant)),
      description: mostly(fc.constantFrom<unknown>(null, '', 'why')),
      segment_key: fc.constantFrom<unknown>(null, 's0', 's1', 's2', 'gone', undefined),
      variant,
      conditions: mostly(fc.array(fc.oneof(fc.record(test), segmentTest), { maxLength: 2 })),
    },
    { requiredKeys: ['attribute', 'operator', 'values'] },
  )
const segments = fc.array(fc.array(rule(value), { maxLength: 3 }), { minLength: 3, maxLength: 3 })
const flagType = fc.constantFrom<unknown>('boolean', 'string', 'integer', 'json', undefined)
const flagInput = flagType.chain((flag_type) =>
  fc.record(
    {
      key: fc.constant('f'),
      is_enabled: fc.boolean(),
      flag_type: fc.constant(flag_type),
      rollout_percentage: mostly(fc.constantFrom(null, 0, 50, 100, -0)),
      rules: mostly(fc.array(rule(mostly(valueFor(flag_type))), { maxLength: 4 })),
      default_value: mostly(valueFor(flag_type)),
      disabled_value: mostly(valueFor(flag_type)),
      ...division,
      variant_names: mostly(fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), valueFor(flag_type))),
      metadata: mostly(fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom(1, 'x', true))),
      variants: mostly(
        flag_type === 'boolean' || flag_type === undefined
          ? fc.constant([])
          : weighted(mostly(valueFor(flag_type))),
      ),
      prerequisites: fc.constant([]),
    },
    { requiredKeys: ['key', 'is_enabled', 'flag_type'] },
  ),
)
const attributes = fc.record({ plan: fc.constantFrom('pro', 18, true, null), age: fc.constantFrom('18', 1) })

/** Parses a segment as its endpoint does: JSON, then its schema, then its rules. Null when it is refused. */
function acceptSegment(key: string, rules: unknown): TargetingRule[] | null {
  const input: unknown = asJson({ key, name: key, rules })
  if (!isSegment(input)) return null
  const accepted = (input as SegmentInput).rules?.map(toRule) ?? []
  return validateRules(accepted).length === 0 ? accepted : null
}

function acceptFlag(given: unknown) {
  const input: unknown = asJson(given)
  if (!isFlag(input)) return null
  const content = toFlagContent(input as FlagInput)
  return validateFlag(content).length === 0 ? content : null
}

const asJson = (given: unknown): unknown => JSON.parse(JSON.stringify(given))

describe('a flag and segments that the server accepts', () => {
  it('are never answered with ERROR by an evaluator, whatever the variants of the segments are', () => {
    let accepted = 0
    fc.assert(
      fc.property(flagInput, segments, attributes, (given, rulesOfSegments, user) => {
        const content = acceptFlag(given)
        if (!content) return
        accepted += 1
        const all = new Map(
          rulesOfSegments.flatMap((rules, at) => {
            const segment = acceptSegment(`s${at}`, rules)
            return segment ? [[`s${at}`, { rules: segment }] as const] : []
          }),
        )
        const sent = toWireFlag({ ...content, archived_at: null, revision: 1 }, all)
        const flags = createFlagSet([asJson(sent) as EvaluatedFlag])
        for (const userKey of ['ann', '', null]) {
          expect(flags.resolve('f', userKey, user).reason).not.toBe('ERROR')
        }
      }),
      { numRuns: 3_000 },
    )
    expect(accepted).toBeGreaterThan(500)
  })
})
