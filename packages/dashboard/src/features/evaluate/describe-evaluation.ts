import type { Flag } from '@burgee/contract'
import type { Evaluation, FlagSet } from '@burgee/evaluation'
import { explain, type RolloutTrace, type Trace } from '@burgee/evaluation/explain'
import { describeCondition, nameRule } from './describe-condition.ts'
import { describeFailed } from './describe-prerequisite.ts'
import type { Subject } from './subject.ts'

export interface Question {
  /** All flags of the environment, as SDKs have them, with the origins of their rules. */
  readonly set: FlagSet
  /** One of them. */
  readonly flag: Flag
  readonly subject: Subject
}

/** The evaluator's result for a user with the steps, now or at a past moment. */
export interface Explained {
  readonly evaluation: Pick<Evaluation, 'reason' | 'rule_index' | 'variant_index'>
  readonly trace: Trace | undefined
  readonly subject: Pick<Subject, 'user_key'>
  /** Null at a past moment: the server sends the steps, not the flag. */
  readonly flag: Pick<Flag, 'variants'> | null
}

/** A question, and the evaluator's result for it with the steps. */
export interface EvaluatedQuestion extends Question {
  readonly evaluation: Evaluation
  readonly trace: Trace | undefined
}

export const evaluateQuestion = (question: Question): EvaluatedQuestion => {
  const { flag, set, subject } = question
  const context = { userKey: subject.user_key, attributes: subject.attributes }
  const { trace, ...evaluation } = explain(set, flag.key, context)
  return { ...question, evaluation, trace }
}

/** The name that the flag gives its value; undefined for a value without one. */
export const nameOfValue = ({ evaluation, flag }: EvaluatedQuestion): string | undefined =>
  evaluation.variant !== undefined && Object.hasOwn(flag.variant_names ?? {}, evaluation.variant)
    ? evaluation.variant
    : undefined

/** The reason in one short sentence. */
export function describeEvaluation(evaluated: Explained): string {
  const { evaluation, trace } = evaluated
  if (!trace)
    return evaluation.reason === 'FLAG_NOT_FOUND'
      ? 'SDKs do not have this flag: it is archived or deleted.'
      : 'The flag is malformed, or the attributes cannot be read: the default in the code counts.'
  switch (trace.decided) {
    case 'prerequisites': {
      const failed = trace.prerequisites.find(({ state }) => state === 'failed')
      return failed ? describeFailed(failed) : ''
    }
    case 'switch':
      return 'The flag is switched off.'
    case 'rules':
      return evaluation.reason === 'TARGETING_MATCH' ? describeMatch(trace) : describeValue(evaluated, trace)
    case 'rollout':
      return describeRollout(trace.rollout)
    case 'value': {
      const value = describeValue(evaluated, trace)
      // A full rollout is the usual case and reveals nothing of this user.
      return trace.rollout.percentage === 100 ? value : `${describeRollout(trace.rollout)} ${value}`
    }
  }
}

function describeMatch({ rules, value }: Trace): string {
  const rule = rules.find(({ state }) => state === 'matched')
  if (!rule) return ''
  const { conditions, origin, rollout } = rule
  const inside = rollout ? ` The user is inside its share of ${rollout.percentage}%.` : ''
  const off = value.from === 'disabled' ? ' It switches the flag off.' : ''
  return `${nameRule(origin)} matched: ${conditions.map(describeCondition).join(' and ')}.${inside}${off}`
}

/** On which side of the rollout the user is. */
export function describeRollout({ bucket, bucket_by, bucket_of, inside, percentage }: RolloutTrace): string {
  if (percentage === 100) return 'The rollout is 100%: all users are inside.'
  if (percentage === 0) return 'The rollout is 0%: no users are inside.'
  const side = `${inside ? 'Inside' : 'Outside'} the rollout of ${percentage}%`
  const without = bucket_by === undefined ? 'user key' : `attribute ${bucket_by}`
  if (bucket === null) return `${side}: there is no ${without}.`
  const by = bucket_by === undefined ? '' : ` by the attribute ${bucket_by}`
  const last = Math.round((percentage * bucket_of) / 100) - 1
  return inside
    ? `${side}: bucket ${bucket} of 0 to ${last}${by}.`
    : `${side}: bucket ${bucket}${by}, and it takes 0 to ${last}.`
}

/** Which value someone inside the rollout gets. */
export function describeValue({ evaluation, flag, subject }: Explained, trace: Trace): string {
  const { variant_index } = evaluation
  const variantCount = flag?.variants.length ?? 0
  const matched = trace.rules.find(({ state }) => state === 'matched')
  if (matched && variant_index !== undefined)
    return `${nameRule(matched.origin)} matched, and the hash chose its variant ${variant_index + 1}.`
  if (matched) return `${nameRule(matched.origin)} matched: the default value.`
  if (variant_index !== undefined)
    return `Variant ${variant_index + 1}${flag ? ` of ${variantCount}` : ''}, chosen by the hash of the user key.`
  if (variantCount > 0 && subject.user_key === null)
    return 'There is no user key to choose a variant: the default value.'
  return 'No rule matches the user: the default value.'
}
