import { assertValid, type Fields, listOf } from '../assert-valid.ts'
import { compileAnyCondition } from '../compile-any-condition.ts'
import type { Extend } from '../compile-flag.ts'
import { compileRules } from '../compile-rules.ts'
import { compileCosts } from '../cost.ts'
import { readValue } from '../read-value.ts'
import {
  addHashing,
  compileChoice,
  compileRollout,
  DIVISION_FIELDS,
  readDivision,
  readShare,
  THOUSANDTHS,
} from './division.ts'
import { compileEvaluatorAttributes } from './evaluator-attributes.ts'

const RULE_FIELDS = [...DIVISION_FIELDS, 'off', 'rollout_percentage', 'variants']

/**
 * Compiles steps 4 to 6 of a flag that uses an extension (docs/reference/evaluation.md#extensions).
 *
 * @throws TypeError when a field is not valid.
 */
export const compileExtension: Extend = (
  flag,
  type,
  percentage,
  defaultValue,
  disabledValue,
  create,
  costs,
) => {
  const rules = listOf(flag.rules)
  const attributesOf = compileEvaluatorAttributes(flag, rules)
  const uses = (fields: Fields, names: readonly string[]) => names.some((name) => fields[name] != null)
  const isExtended = uses(flag, DIVISION_FIELDS) || rules.some((rule) => uses(rule, RULE_FIELDS))
  if (!attributesOf && !isExtended) return null
  const division = readDivision(flag)
  let keySteps = addHashing(costs, division)
  const share = readShare(percentage, flag.rollout_thousandths)
  const firstMatch = compileRules(
    rules,
    (rule) => {
      const own = readShare(rule.rollout_percentage, rule.rollout_thousandths)
      const tests = [rule, ...listOf(rule.conditions)].map((test) => compileAnyCondition(test, costs))
      const isShared = (rule.rollout_percentage ?? rule.rollout_thousandths) != null
      const divided = readDivision(flag, rule)
      if (isShared || listOf(rule.variants).length > 0) keySteps += addHashing(costs, divided)
      return isShared ? [...tests, compileRollout(divided, own)] : tests
    },
    (rule, rule_index) => {
      const { off, variant, variants } = rule
      assertValid(off == null || typeof off === 'boolean')
      assertValid(variant == null || listOf(variants).length === 0)
      const value = type === 'boolean' || readValue(type, variant, defaultValue)
      const result = create('TARGETING_MATCH', off ? disabledValue : value, !off, { rule_index })
      const choose = compileChoice(readDivision(flag, rule), variants, type, create, { rule_index })
      return (attributes: object, userKey: string | null) =>
        off ? result : (choose(attributes, userKey) ?? result)
    },
  )
  const isInside = share === THOUSANDTHS ? () => true : compileRollout(division, share)
  const choose = compileChoice(division, flag.variants, type, create)
  const isPlain = rules.length + listOf(flag.variants).length === 0
  const included = create(share < THOUSANDTHS ? 'SPLIT' : isPlain ? 'STATIC' : 'DEFAULT', defaultValue, true)
  const excluded = create(share === 0 ? 'DEFAULT' : 'SPLIT', disabledValue, false)

  const charge = compileCosts(costs, keySteps)
  return (userKey, given, run) => {
    const attributes = attributesOf?.(given, userKey) ?? given
    charge(attributes, userKey, run)
    const match = rules.length > 0 && firstMatch(attributes, userKey, run)
    if (match) return match(attributes, userKey)
    return isInside(attributes, userKey) ? (choose(attributes, userKey) ?? included) : excluded
  }
}
