import type { Flag } from '@burgee/contract'
import type { Evaluation, FlagSet } from '@burgee/evaluation'
import { shareOf } from '../../parts/weights/share-input.tsx'
import { describeCondition, nameRule } from './describe-condition.ts'
import { explainPrerequisites } from './explain-prerequisites.ts'
import { findOrigin, testsOf } from './explain-rules.ts'
import { findBucket, isInRollout } from './probe.ts'
import type { RuleOrigin } from './rule-origins.ts'
import type { Subject } from './subject.ts'

export interface Question {
  /** All flags of the environment, as SDKs have them. */
  readonly set: FlagSet
  /** One of them, segments expanded. */
  readonly flag: Flag
  readonly subject: Subject
  /** The origins of the flag's expanded rules; null if its rules are as written. */
  readonly origins: readonly RuleOrigin[] | null
}

/** A question and the evaluator's result for it. */
export interface Answered extends Question {
  readonly evaluation: Evaluation
}

export const answer = (question: Question): Answered => {
  const { set, flag, subject } = question
  const evaluation = set.evaluate(flag.key, { userKey: subject.user_key, attributes: subject.attributes })
  return { ...question, evaluation }
}

/** The reason in one short sentence. It is for a row of a list, so it looks only at the step that decided. */
export function describeEvaluation(answered: Answered): string {
  const { evaluation, flag } = answered
  switch (evaluation.reason) {
    case 'ERROR':
      return 'The flag is malformed, or the attributes cannot be read: the code’s own default counts.'
    case 'FLAG_NOT_FOUND':
      return 'SDKs do not have this flag: it is archived or deleted.'
    case 'PREREQUISITE_FAILED':
      return explainPrerequisites(answered).find(({ state }) => state === 'failed')?.detail ?? ''
    case 'DISABLED':
      return 'The flag is switched off.'
    case 'TARGETING_MATCH':
      return describeMatch(answered)
    default:
      if (evaluation.rule_index !== undefined) return describeValue(answered)
      // A full rollout is the usual case and says nothing of this user.
      if ((shareOf(flag) ?? 100) === 100) return describeValue(answered)
      return evaluation.enabled
        ? `${describeRollout(answered)} ${describeValue(answered)}`
        : describeRollout(answered)
  }
}

function describeMatch({ evaluation: { rule_index = 0 }, flag, origins }: Answered): string {
  const rule = flag.rules[rule_index] ?? {}
  const tests = testsOf(rule).map(describeCondition)
  const share = shareOf(rule)
  const inside = share === null ? '' : ` The user is inside its share of ${share} %.`
  const off = rule.off ? ' It switches the flag off.' : ''
  const name = nameRule(findOrigin(origins, rule_index))
  return `${name} matched: ${tests.join(' and ')}.${inside}${off}`
}

/** The fields with which a flag divides users in its own way. */
const DIVIDED_BY = ['rollout_thousandths', 'bucket_by', 'rollout_salt', 'hash'] as const

/** On which side of the rollout the user is. */
export function describeRollout({ flag, subject }: Pick<Question, 'flag' | 'subject'>): string {
  const { user_key } = subject
  const percentage = shareOf(flag) ?? 100
  if (percentage === 100) return 'The rollout is 100 %: all users are inside.'
  if (percentage === 0) return 'The rollout is 0 %: no users are inside.'
  if (DIVIDED_BY.some((field) => flag[field] !== undefined)) {
    const side = isInRollout(flag, subject) ? 'Inside' : 'Outside'
    const by = flag.bucket_by === undefined ? 'the user key' : `the attribute ${flag.bucket_by}`
    return `${side} the rollout of ${percentage} %, by the hash of ${by}.`
  }
  if (user_key === null) return `Outside the rollout of ${percentage} %: there is no user key.`
  const bucket = findBucket(flag.key, user_key)
  return bucket < percentage
    ? `Inside the rollout of ${percentage} %: bucket ${bucket} of 0 to ${percentage - 1}.`
    : `Outside the rollout of ${percentage} %: bucket ${bucket}, and it takes 0 to ${percentage - 1}.`
}

/** Which value someone inside the rollout gets. */
export function describeValue({ flag, evaluation, origins, subject }: Answered): string {
  const { rule_index, variant_index } = evaluation
  if (rule_index !== undefined && variant_index !== undefined) {
    const name = nameRule(findOrigin(origins, rule_index))
    return `${name} matched, and the hash chose its variant ${variant_index + 1}.`
  }
  if (variant_index !== undefined) {
    return `Variant ${variant_index + 1} of ${flag.variants.length}, chosen by the hash of the user key.`
  }
  if (flag.variants.length > 0 && subject.user_key === null) {
    return 'Variants need a user key: the default value.'
  }
  return 'No rule singles the user out: the default value.'
}
