import { compileRules } from './compile-rules.ts'
import { deepEqual } from './deep-equal.ts'
import { demand, type Fields, listOf } from './demand.ts'
import { createEvaluation, type Evaluation } from './evaluation.ts'
import { FLAG_TYPES, type FlagType, type JsonValue } from './flag.ts'
import { MURMUR3_START, murmur3 } from './murmur3.ts'

/**
 * The order of evaluation, as the specification has it ("Flag evaluation"), but for step 1, a flag that is not found.
 *
 * @param run Distinguishes this evaluation from all others of the set; prerequisites are remembered by it.
 * @param levels How many levels of prerequisites may still lie below this flag.
 * @throws What reading the attributes throws.
 */
type EvaluateFlag = (userKey: string | null, attributes: object, run: number, levels: number) => Evaluation

/**
 * Where the flag of some key stands, ready for evaluation: nothing is parsed, summed or built when a user comes.
 * References of other flags point here, so that replacing a flag touches no other.
 */
export interface FlagCell {
  /** What everybody gets at all times; null where users, attributes or other flags have a say. */
  always: Evaluation | null
  isBoolean: boolean
  evaluate: EvaluateFlag
  /** The same, asked for as a prerequisite. */
  evaluateOnce: EvaluateFlag
}

interface CompiledPrerequisite {
  readonly target: FlagCell
  /** Null: it need only be enabled. */
  readonly required: JsonValue
  readonly failed: Evaluation
}

export const FLAG_NOT_FOUND = createEvaluation('FLAG_NOT_FOUND', null, false)
export const EVALUATION_ERROR = createEvaluation('ERROR', null, false)

const HASH_RANGE = 2 ** 32

/**
 * Fields that are missing or null get their default, fields unknown here are ignored.
 *
 * @throws when the flag is malformed.
 */
export function compileFlag(flag: Fields, cellOf: (key: string) => FlagCell): FlagCell {
  const type = (flag.flag_type ?? 'boolean') as FlagType
  const percentage = (flag.rollout_percentage ?? 100) as number
  const isOn = flag.is_enabled
  demand(FLAG_TYPES.includes(type) && typeof isOn === 'boolean' && isWhole(percentage) && percentage <= 100)
  const isBoolean = type === 'boolean'
  const on = readValue(type, flag.default_value, isBoolean || null)
  const off = readValue(type, flag.disabled_value, isBoolean ? false : null)

  const prerequisites = listOf(flag.prerequisites).map(
    ({ flag_key, required_value }): CompiledPrerequisite => {
      demand(typeof flag_key === 'string')
      return {
        target: cellOf(flag_key),
        required: readValue('json', required_value, null),
        failed: createEvaluation('PREREQUISITE_FAILED', off, false, { prerequisite_key: flag_key }),
      }
    },
  )
  const rules = listOf(flag.rules)
  // A matching rule on a boolean flag gives true, whatever its variant says.
  const firstMatch = compileRules(rules, ({ variant }, rule_index) =>
    createEvaluation('TARGETING_MATCH', isBoolean || readValue(type, variant, on), true, { rule_index }),
  )
  const variants = listOf(flag.variants)
  const choices = variants.map(({ value }, variant_index) =>
    createEvaluation('SPLIT', readValue(type, value, null), true, { variant_index }),
  )
  let total = 0
  // Where each variant's share of the hash range ends. A weight of zero ends where its neighbour before ends.
  const ends = variants
    .map(({ weight }) => {
      demand(isWhole(weight) && !isBoolean)
      total += weight
      return total
    })
    .map((sum) => (sum / total) * HASH_RANGE)
  demand(total > 0 || ends.length === 0)

  const outside = createEvaluation(percentage === 0 ? 'DEFAULT' : 'SPLIT', off, false)
  const isPlain = rules.length + ends.length === 0
  const inside = createEvaluation(percentage < 100 ? 'SPLIT' : isPlain ? 'STATIC' : 'DEFAULT', on, true)
  const always = isPlain && percentage === 100 ? inside : isPlain && percentage === 0 ? outside : null
  const settled = isOn ? always : createEvaluation('DISABLED', off, false)
  const rollout = murmur3(`${flag.key}:`, MURMUR3_START, true)
  // Its salt keeps the choice of a variant apart from the rollout's bucket.
  const choice = murmur3(`variant:${flag.key}:`, MURMUR3_START, true)

  const evaluate: EvaluateFlag = (userKey, attributes, run, levels) => {
    // 2. Every prerequisite must be there, be enabled for this user, and have the required value if there is one.
    // (By index, which engines run a good deal faster here than an iterator.)
    for (let index = 0; index < prerequisites.length; index++) {
      const { target, required, failed } = prerequisites[index] as CompiledPrerequisite
      if (levels === 0) return failed
      const result = target.always ?? target.evaluateOnce(userKey, attributes, run, levels - 1)
      if (!result.enabled || (required !== null && !deepEqual(result.value, required))) return failed
    }
    // 3. The master switch; and, at once, what flags give on which neither the user nor the attributes have a say.
    if (settled !== null) return settled
    // 4. The first rule that matches wins, past the rollout.
    const match = rules.length > 0 && firstMatch(attributes)
    if (match) return match
    // 5. The rollout's gate. Without a user key nobody is inside a partial rollout.
    if (percentage < 100 && (userKey === null || (murmur3(userKey, rollout) >>> 0) % 100 >= percentage))
      return outside
    // 6. A variant by weight, or the default.
    if (ends.length === 0 || userKey === null) return inside
    const hash = murmur3(userKey, choice) >>> 0
    let index = 0
    while (hash >= (ends[index] ?? HASH_RANGE)) index++
    return choices[index] ?? inside
  }

  return {
    always: prerequisites.length > 0 ? null : settled,
    isBoolean,
    evaluate,
    evaluateOnce: remember(evaluate),
  }
}

/**
 * Remembers when the flag turned out enabled, so that cost is linear in the flags visited however they refer to each
 * other.
 *
 * What is remembered holds whatever the path: more levels can never turn an enabled flag into another result. Only with
 * fewer levels than before is a flag evaluated again, so none is more than ten times. What failed needs no memory: one
 * failure fails every flag on the way up, and nothing else is visited. A cycle ends so too, where the levels do.
 */
function remember(evaluate: EvaluateFlag): EvaluateFlag {
  let last: Evaluation
  let lastRun = 0
  let lastLevels = 0
  return (userKey, attributes, run, levels) => {
    if (lastRun === run && levels >= lastLevels) return last
    const result = evaluate(userKey, attributes, run, levels)
    if (result.enabled) {
      last = result
      lastRun = run
      lastLevels = levels
    }
    return result
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/**
 * A value of the type, or `otherwise` when it is missing or null. Arrays and objects are copied and frozen, so that
 * results may be shared and later changes to the flag that was given reach no evaluation.
 */
function readValue(type: FlagType, value: unknown, otherwise: JsonValue): JsonValue {
  if (value == null) return otherwise
  demand(type === 'json' || (type === 'integer' ? Number.isInteger(value) : typeof value === type))
  return JSON.parse(JSON.stringify(value), (_key, part) => Object.freeze(part))
}
