import { HASHES, OPERATORS } from '@burgee/evaluation'
import fc from 'fast-check'

type Mostly = (usual: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>

/** Puts something that does not belong there into one of 31 places. */
const spoiled: Mostly = (usual) =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) })

/**
 * Returns generators of flags as callers send them, and of the rules of the three segments `s0` to `s2`. They
 * use every operator and field; with `isSpoiled` some of them are nonsense.
 */
export function flagInputs({ isSpoiled }: { readonly isSpoiled: boolean }) {
  const mostly: Mostly = isSpoiled ? spoiled : (usual) => usual
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
    values: mostly(
      fc.array(fc.constantFrom('pro', '18', '', '0x10', '1e999', '\u{10ffff}'), { maxLength: 3 }),
    ),
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
        metadata: mostly(
          fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom(1, 'x', true)),
        ),
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
  return { flagInput, segments }
}
