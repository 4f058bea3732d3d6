import { assertValid, type Fields, listOf } from './assert-valid.ts'
import type { Condition } from './compile-condition.ts'
import { compileRules } from './compile-rules.ts'
import { compileVariants, HASH_RANGE } from './compile-variants.ts'
import { deepEqual } from './deep-equal.ts'
import { type CreateEvaluation, createEvaluation, type Evaluation } from './evaluation.ts'
import { FLAG_TYPES, type FlagType, type JsonValue } from './flag.ts'
import { type EvaluateFlag, memoizeEnabled } from './memoize-enabled.ts'
import { MURMUR3_START, murmur3 } from './murmur3.ts'
import { isWholeNumber, readValue } from './read-value.ts'

/**
 * The compiled flag of a key. Nothing is parsed, summed or built when a user is evaluated. Prerequisites of
 * other flags reference the cell, so replacing a flag changes no other.
 */
export interface FlagCell {
  /** The result for every user at all times; null where the user, attributes or other flags matter. */
  constantResult: Evaluation | null
  isBoolean: boolean
  evaluate: EvaluateFlag
  /** The same evaluation, as a prerequisite of another flag. */
  evaluatePrerequisite: EvaluateFlag
}

interface CompiledPrerequisite {
  readonly target: FlagCell
  /** Null when the target only has to be enabled. */
  readonly required: JsonValue
  readonly failed: Evaluation
}

export const FLAG_NOT_FOUND = createEvaluation('FLAG_NOT_FOUND', null, false)
export const EVALUATION_ERROR = createEvaluation('ERROR', null, false)

/** Evaluates steps 4 to 6 of a flag in place of the usual ones. Null for a flag without extensions. */
export type Extend = (
  flag: Fields,
  type: FlagType,
  percentage: number,
  defaultValue: JsonValue,
  disabledValue: JsonValue,
  create: CreateEvaluation,
) => ((userKey: string | null, attributes: object) => Evaluation) | null

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
  compileCondition: (condition: Fields) => Condition,
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
  const extended = extend?.(flag, type, percentage, defaultValue, disabledValue, create) ?? null
  const rules = extended ? [] : listOf(flag.rules)
  const firstMatch = compileRules(
    rules,
    (rule) => [rule, ...listOf(rule.conditions)].map(compileCondition),
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

  const evaluate: EvaluateFlag = (userKey, attributes, run, levels) => {
    // 2. Every prerequisite must be satisfied. (A loop by index is faster here than an iterator.)
    for (let index = 0; index < prerequisites.length; index++) {
      const { target, required, failed } = prerequisites[index] as CompiledPrerequisite
      if (levels === 0) return failed
      const result =
        target.constantResult ?? target.evaluatePrerequisite(userKey, attributes, run, levels - 1)
      if (!result.enabled || (required !== null && !deepEqual(result.value, required))) return failed
    }
    // 3. The main switch, and every other result that depends on neither user nor attributes.
    if (constantResult !== null) return constantResult
    if (extended !== null) return extended(userKey, attributes)
    // 4. The first rule that matches decides, whatever the rollout is.
    const match = rules.length > 0 && firstMatch(attributes, userKey)
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
    evaluate,
    evaluatePrerequisite: memoizeEnabled(evaluate),
  }
}

function compilePrerequisites(
  prerequisites: readonly Fields[],
  disabledValue: JsonValue,
  cellOf: (key: string) => FlagCell,
  create: CreateEvaluation,
): CompiledPrerequisite[] {
  return prerequisites.map(({ flag_key, required_value }) => {
    assertValid(typeof flag_key === 'string')
    return {
      target: cellOf(flag_key),
      required: readValue('json', required_value, null),
      failed: create('PREREQUISITE_FAILED', disabledValue, false, { prerequisite_key: flag_key }),
    }
  })
}
