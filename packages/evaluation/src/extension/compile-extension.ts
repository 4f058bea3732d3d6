import { assertValid, type Fields, listOf } from '../assert-valid.ts'
import { compileAnyCondition } from '../compile-any-condition.ts'
import type { Extend, FlagParts } from '../compile-flag.ts'
import { compileRules } from '../compile-rules.ts'
import type { Evaluation } from '../evaluation.ts'
import { readValue } from '../read-value.ts'
import { listRequirements } from '../requirements.ts'
import { compileChoice, compileRollout, readDivision, readShare, THOUSANDTHS } from './division.ts'
import { compileEvaluatorAttributes } from './evaluator-attributes.ts'

/**
 * Compiles steps 4 to 6 of a flag that uses an extension (docs/reference/evaluation.md#extensions).
 *
 * @throws TypeError when a field is not valid.
 */
export const compileExtension: Extend = (parts) => {
  const { flag, type, percentage, defaultValue, disabledValue, create } = parts
  const required = new Set([...listRequirements(flag), ...((flag.requires ?? []) as string[])])
  if (required.size === 0) return null
  const rules = listOf(flag.rules)
  const division = readDivision(flag)
  const share = readShare(percentage, flag.rollout_thousandths)
  const firstMatch = compileRules(
    rules,
    (rule) => compileTests(rule, flag),
    (rule, index) => compileMatch(rule, index, parts),
  )
  const isInside = compileRollout(division, share)
  const choose = compileChoice(division, flag.variants, type, create)
  const isPlain = rules.length + listOf(flag.variants).length === 0
  const included = create(share < THOUSANDTHS ? 'SPLIT' : isPlain ? 'STATIC' : 'DEFAULT', defaultValue, true)
  const excluded = create(share === 0 ? 'DEFAULT' : 'SPLIT', disabledValue, false)
  const attributesOf = required.has('user_key') ? compileEvaluatorAttributes(flag) : (given: object) => given

  return (userKey, given) => {
    const attributes = attributesOf(given, userKey)
    const match = firstMatch(attributes, userKey)
    if (match) return match(userKey, attributes)
    return isInside(attributes, userKey) ? (choose(userKey, attributes) ?? included) : excluded
  }
}

/** The tests of a rule, and its rollout as the last of them. */
function compileTests(rule: Fields, flag: Fields) {
  const { conditions, rollout_percentage, rollout_thousandths } = rule
  const tests = [rule, ...listOf(conditions)].map(compileAnyCondition)
  const share = readShare(rollout_percentage, rollout_thousandths)
  return share === THOUSANDTHS ? tests : [...tests, compileRollout(readDivision(flag, rule), share)]
}

/** The result of a rule that matches, which depends on the user where it has variants. */
function compileMatch(
  rule: Fields,
  rule_index: number,
  { flag, type, defaultValue, disabledValue, create }: FlagParts,
): (userKey: string | null, attributes: object) => Evaluation {
  const { off, variant, variants } = rule
  assertValid(off == null || typeof off === 'boolean')
  assertValid(variant == null || listOf(variants).length === 0)
  const choose = compileChoice(readDivision(flag, rule), variants, type, create, { rule_index })
  const value = type === 'boolean' || readValue(type, variant, defaultValue)
  const result = create('TARGETING_MATCH', off ? disabledValue : value, !off, { rule_index })
  return off ? () => result : (userKey, attributes) => choose(userKey, attributes) ?? result
}
