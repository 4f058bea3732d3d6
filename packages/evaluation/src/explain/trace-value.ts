import { type Fields, listOf } from '../assert-valid.ts'
import { readDivision } from '../extension/division.ts'
import { variantPosition } from '../hashes/position.ts'
import type { Subject } from './subject.ts'
import type { ValueTrace } from './trace.ts'

/** Returns where the value of the result stands, and the user's place among weighted variants. */
export function traceValue({ attributes, evaluation, flag, userKey }: Subject): ValueTrace {
  const { enabled, rule_index, variant_index } = evaluation
  if (!enabled) return { from: 'disabled' }
  const rule: Fields = (rule_index === undefined ? undefined : listOf(flag.rules)[rule_index]) ?? {}
  if (variant_index === undefined) {
    const isOfRule = rule_index !== undefined && (isBoolean(flag) || rule.variant != null)
    return { from: isOfRule ? 'rule' : 'default' }
  }
  const variants = listOf(rule_index === undefined ? flag.variants : rule.variants)
  // Compiling has checked the weights.
  const weights = variants.map(({ weight }) => weight as number)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const { hash, keyOf, variantSalt } = readDivision(flag, rule)
  const key = keyOf(attributes, userKey)
  return {
    from: 'variant',
    ...(key !== null && { position: variantPosition(hash, variantSalt, total)(key) }),
    share: (weights[variant_index] ?? 0) / total,
  }
}

const isBoolean = ({ flag_type }: Fields): boolean => (flag_type ?? 'boolean') === 'boolean'
