import { FLAG_TYPES, OPERATORS } from '@burgee/evaluation'
import { anyJson, anyText } from './generate-value.ts'
import type { Random } from './random.ts'

type Fields = Readonly<Record<string, unknown>>
type FlagType = (typeof FLAG_TYPES)[number]

/**
 * Generates a flag whose values match its type and whose rules are complete, which the schema cannot express.
 */
export function plausibleFlag(random: Random, segmentKeys: readonly string[], body: Fields): Fields {
  const flag_type = random.pick(FLAG_TYPES)
  const variantCount = flag_type === 'boolean' ? 0 : random.integer(0, 3)
  return {
    ...body,
    flag_type,
    default_value: valueOfType(random, flag_type),
    disabled_value: valueOfType(random, flag_type),
    rules: plausibleRules(random, segmentKeys, flag_type),
    variants: Array.from({ length: variantCount }, (_, index) => ({
      weight: index === 0 ? random.integer(1, 10) : random.integer(0, 10),
      value: valueOfType(random, flag_type),
    })),
  }
}

/** Generates a patch that fits any type of flag, or changes the type with all that depends on it. */
export function plausiblePatch(random: Random, segmentKeys: readonly string[], body: Fields): Fields {
  const { default_value, disabled_value, flag_type, key, rules, variants, ...independent } = body
  return random.chance(0.4) ? plausibleFlag(random, segmentKeys, independent) : independent
}

export function plausibleRules(
  random: Random,
  segmentKeys: readonly string[],
  flag_type: FlagType,
): unknown[] {
  return Array.from({ length: random.integer(0, 3) }, () => ({
    ...(random.chance(0.3) && segmentKeys.length > 0
      ? { segment_key: random.pick([...segmentKeys, 'no-such-segment']) }
      : plausibleTest(random)),
    ...(random.chance(0.5) && { variant: valueOfType(random, flag_type) }),
    ...(random.chance(0.3) && { conditions: [plausibleTest(random)] }),
  }))
}

const plausibleTest = (random: Random) => ({
  attribute: random.pick(['plan', 'country', '', '__proto__', anyText(random)]),
  operator: random.pick(OPERATORS),
  values: Array.from({ length: random.integer(0, 3) }, () => anyText(random)),
})

function valueOfType(random: Random, flag_type: FlagType): unknown {
  if (random.chance(0.1)) return null
  switch (flag_type) {
    case 'boolean':
      return random.chance(0.5)
    case 'string':
      return anyText(random)
    case 'integer':
      return random.pick([0, -1, random.integer(0, 1_000), Number.MAX_SAFE_INTEGER])
    case 'json':
      return anyJson(random, 3)
  }
}
