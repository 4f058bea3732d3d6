import type { CompiledFlag, CompiledPrerequisite } from './compile-flag.ts'
import { deepEqual } from './deep-equal.ts'
import type { Evaluation } from './evaluation.ts'
import { firstMatch } from './first-match.ts'
import { isInside } from './rollout.ts'
import { chooseVariant } from './variants.ts'

/** A chain of this many prerequisite levels evaluates; with one more it is unsatisfied, and so is every cycle. */
export const MAX_PREREQUISITE_LEVELS = 10

/**
 * The order of evaluation, as the specification has it ("Flag evaluation"). Step 1, a flag that is not found, is its
 * caller's.
 *
 * @param run Distinguishes this evaluation from all others of the set; prerequisites are remembered by it.
 * @param levels How many levels of prerequisites may still lie below this flag.
 * @throws What reading the attributes throws.
 */
export function evaluateFlag(
  flag: CompiledFlag,
  userKey: string | null,
  attributes: object,
  run: number,
  levels: number,
): Evaluation {
  // 2. Every prerequisite must be satisfied, before anything of the flag's own counts.
  // (By index, which engines run a good deal faster here than an iterator.)
  const { prerequisites } = flag
  for (let index = 0; index < prerequisites.length; index++) {
    const prerequisite = prerequisites[index] as CompiledPrerequisite
    if (!isSatisfied(prerequisite, userKey, attributes, run, levels)) return prerequisite.unsatisfied
  }
  // 3. The master switch; and, at once, what flags give on which neither the user nor the attributes have a say.
  if (flag.everybody !== null) return flag.everybody
  // 4. The first rule that matches wins, past the rollout.
  if (flag.rules.length > 0) {
    const match = firstMatch(flag.rules, flag.ruleIndex, attributes)
    if (match !== null) return match
  }
  // 5. The rollout's gate.
  if (!isInside(flag.rollout, userKey)) return flag.outside
  // 6. A variant by weight, or the default.
  if (flag.variants === null || userKey === null) return flag.inside
  return chooseVariant(flag.variants, userKey) ?? flag.inside
}

/** The flag that is referenced must be there, be enabled for this user, and have the required value if there is one. */
function isSatisfied(
  { target, requiredValue }: CompiledPrerequisite,
  userKey: string | null,
  attributes: object,
  run: number,
  levels: number,
): boolean {
  const { flag } = target
  if (flag === null || levels === 0) return false
  const result = flag.always ?? evaluateOnce(flag, userKey, attributes, run, levels - 1)
  return result.enabled && (requiredValue === null || deepEqual(result.value, requiredValue))
}

/**
 * The same as `evaluateFlag`, remembering flags that turned out enabled, so that cost is linear in the flags visited
 * however they refer to each other.
 *
 * What is remembered holds whatever the path: more levels can never turn an enabled flag into another result. Only with
 * fewer levels than before is a flag evaluated again, so none is more than ten times. What failed needs no memory: one
 * failure fails every flag on the way up, and nothing else is visited. A cycle ends so too, where the levels do.
 */
function evaluateOnce(
  flag: CompiledFlag,
  userKey: string | null,
  attributes: object,
  run: number,
  levels: number,
): Evaluation {
  const { memo } = flag
  if (memo.run === run && levels >= memo.levels) return memo.result
  const result = evaluateFlag(flag, userKey, attributes, run, levels)
  if (result.enabled) {
    memo.run = run
    memo.levels = levels
    memo.result = result
  }
  return result
}
