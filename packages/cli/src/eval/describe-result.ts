import { cutLine, describeOperator, type EvaluateResult } from '@burgee/contract'
import { isOperator, operatorKind } from '@burgee/evaluation'

export type EvaluatedFlag = EvaluateResult['flags'][number]
export type Trace = NonNullable<EvaluatedFlag['trace']>
type Rule = Trace['rules'][number]
type Rollout = Trace['rollout']

const VALUE_MAX = 120
const TEXT_MAX = 40
const VALUES_SHOWN = 4

/** A value as JSON on one line; null is no value. */
export const formatValue = (value: unknown): string =>
  value === null || value === undefined ? 'no value' : cutLine(JSON.stringify(value), VALUE_MAX)

/** `country is one of NO, SE: the user has "NO"`. */
export function describeCondition({
  actual,
  attribute,
  is_present,
  omitted_values = 0,
  operator,
  values,
}: Rule['conditions'][number]): string {
  const has = is_present ? `the user has ${formatValue(actual)}` : 'the user has none'
  if (!isOperator(operator)) return `${attribute} ${operator}: ${has}`
  const count = values.length + omitted_values
  const shown = values.slice(0, VALUES_SHOWN).map((value) => cutLine(value, TEXT_MAX) || '""')
  const rest = count - shown.length
  const list = `${shown.join(', ') || 'nothing'}${rest > 0 ? ` and ${rest} more` : ''}`
  const test = `${cutLine(attribute, TEXT_MAX)} ${describeOperator(operator, count)}`
  return `${operatorKind(operator) === 'presence' ? test : `${test} ${list}`}: ${has}`
}

/** `rule 2 (segments beta → staff and paying)`, counted from 1 as people wrote them. */
export function nameRule({ rule_index, segment_keys, segment_paths }: Rule['origin']): string {
  const paths = segment_paths ?? (segment_keys.length > 0 ? [segment_keys] : [])
  if (paths.length === 0) return `rule ${rule_index + 1}`
  const chains = paths.map((keys) => keys.join(' → ')).join(' and ')
  return `rule ${rule_index + 1} (${paths.length > 1 ? 'segments' : 'segment'} ${chains})`
}

/** The outcome of a rule. */
export function describeRule({ conditions, rollout, state }: Rule): string {
  if (state === 'not_evaluated') return 'not evaluated'
  if (state === 'matched') return 'matches'
  const isOutside = rollout !== undefined && conditions.every(({ holds }) => holds)
  return isOutside ? `holds, but the user is ${describeRollout(rollout)}` : 'does not match'
}

/** `inside 25%: bucket 12 of 0 to 24`. */
export function describeRollout({ bucket, bucket_by, bucket_of, inside, percentage }: Rollout): string {
  const side = `${inside ? 'inside' : 'outside'} ${percentage}%`
  if (percentage === 100 && inside) return side
  if (bucket === null) return `${side}: there is no ${bucket_by ? `attribute ${bucket_by}` : 'user key'}`
  if (percentage === 0) return side
  const last = Math.round((percentage * bucket_of) / 100) - 1
  return `${side}: bucket ${bucket}, and it takes 0 to ${last}`
}

/** Describes where the value comes from. */
export function describeValue({ position, share, from }: Trace['value']): string {
  if (from !== 'variant')
    return { rule: 'of the rule', default: 'the default', disabled: 'the disabled' }[from]
  const percent = share === undefined ? '' : `, with ${Math.round(share * 1000) / 10}% of users`
  return `a variant${percent}${position === undefined ? '' : `, at ${position.toFixed(4)}`}`
}
