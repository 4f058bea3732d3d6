import { assertValid, type Fields, listOf } from './assert-valid.ts'
import { compilePrerequisites, evaluateBehind } from './compile-prerequisites.ts'
import { compileRules } from './compile-rules.ts'
import { compileVariants, HASH_RANGE } from './compile-variants.ts'
import { type Costs, compileCosts } from './cost.ts'
import { type CreateEvaluation, createEvaluation } from './evaluation.ts'
import { FLAG_TYPES, type FlagType, type JsonValue } from './flag.ts'
import type { EvaluateSteps, FlagCell } from './flag-cell.ts'
import { SHORT_MAX_LENGTH } from './list.ts'
import { MURMUR3_START, murmur3 } from './murmur3.ts'
import { isWholeNumber, readValue } from './read-value.ts'
import type { Condition } from './test-attribute.ts'

export type { FlagCell } from './flag-cell.ts'

export const FLAG_NOT_FOUND = createEvaluation('FLAG_NOT_FOUND', null, false)
export const EVALUATION_ERROR = createEvaluation('ERROR', null, false)

/** The steps for each character of the user key: of hashing it for a rollout and for a variant. */
export const HASH_STEPS = 8

/** Evaluates steps 4 to 6 of a flag in place of the usual ones. Null for a flag without extensions. */
export type Extend = (
  flag: Fields,
  type: FlagType,
  percentage: number,
  defaultValue: JsonValue,
  disabledValue: JsonValue,
  create: CreateEvaluation,
  costs: Costs,
) => EvaluateSteps | null

/**
 * Compiles a flag. Missing and null fields get their default, unknown fields are ignored. The numbered steps
 * are those of docs/reference/evaluation.md#order-of-evaluation; step 1, a flag that is not found, is the
 * caller's.
 *
 * @throws when the flag is not valid.
 */
export function compileFlag(
  flag: Fields,
  cellOf: (key: string) => FlagCell,
  compileCondition: (condition: Fields, costs: Costs) => Condition,
  create: CreateEvaluation,
  extend?: Extend,
): FlagCell {
  const type = (flag.flag_type ?? 'boolean') as FlagType
  const percentage = (flag.rollout_percentage ?? 100) as number
  const isEnabled = flag.is_enabled
  assertValid(FLAG_TYPES.includes(type) && typeof isEnabled === 'boolean')
  assertValid(isWholeNumber(percentage) && percentage <= 100)
  const isBoolean = type === 'boolean'
  const defaultValue = readValue(type, flag.default_value, isBoolean || null)
  const disabledValue = readValue(type, flag.disabled_value, isBoolean ? false : null)

  const prerequisites = compilePrerequisites(listOf(flag.prerequisites), disabledValue, cellOf, create)
  const costs: Costs = new Map()
  const extended = extend?.(flag, type, percentage, defaultValue, disabledValue, create, costs) ?? null
  const rules = extended ? [] : listOf(flag.rules)
  const firstMatch = compileRules(
    rules,
    (rule) => [rule, ...listOf(rule.conditions)].map((condition) => compileCondition(condition, costs)),
    // A matching rule of a boolean flag gives true, whatever its variant is.
    ({ variant }, rule_index) =>
      create('TARGETING_MATCH', isBoolean || readValue(type, variant, defaultValue), true, { rule_index }),
  )
  const { choices, bounds } = compileVariants(listOf(flag.variants), type, create)

  const isPlain = rules.length + choices.length === 0
  const included = create(percentage < 100 ? 'SPLIT' : isPlain ? 'STATIC' : 'DEFAULT', defaultValue, true)
  const excluded = create(percentage === 0 ? 'DEFAULT' : 'SPLIT', disabledValue, false)
  const sameForAll = isPlain && percentage === 100 ? included : isPlain && percentage === 0 ? excluded : null
  const constantResult = isEnabled ? (extended ? null : sameForAll) : create('DISABLED', disabledValue, false)
  const rolloutState = murmur3(`${flag.key}:`, MURMUR3_START, true)
  // The salt keeps the choice of a variant independent of the rollout bucket.
  const variantState = murmur3(`variant:${flag.key}:`, MURMUR3_START, true)
  const charge = compileCosts(costs, HASH_STEPS)
  const isCostly = costs.size > 0

  const evaluateOwn: EvaluateSteps = (userKey, attributes, run) => {
    if (isCostly || (userKey !== null && userKey.length > SHORT_MAX_LENGTH)) charge(attributes, userKey, run)
    // 4. The first rule that matches decides, whatever the rollout is.
    const match = rules.length > 0 && firstMatch(attributes, userKey, run)
    if (match) return match
    // 5. The rollout. An anonymous user is outside every partial rollout.
    if (percentage < 100 && (userKey === null || (murmur3(userKey, rolloutState) >>> 0) % 100 >= percentage))
      return excluded
    // 6. A variant by weight, or the default value.
    if (choices.length === 0 || userKey === null) return included
    const hash = murmur3(userKey, variantState) >>> 0
    let index = 0
    while (hash >= (bounds[index] ?? HASH_RANGE)) index++
    return choices[index] ?? included
  }

  return {
    constantResult: prerequisites.length > 0 ? null : constantResult,
    isBoolean,
    ...evaluateBehind(prerequisites, constantResult, extended ?? evaluateOwn),
  }
}
