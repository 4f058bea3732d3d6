import type { Flag } from '@burgee/contract'
import { deepEqual, type Evaluation, type FlagSet, type JsonValue } from '@burgee/evaluation'
import type { PrerequisiteTrace } from './explanation.ts'
import { formatValue } from './format-value.ts'
import type { Subject } from './subject.ts'

interface PrerequisitesQuestion {
  readonly set: FlagSet
  readonly flag: Flag
  readonly subject: Subject
  readonly evaluation: Evaluation
}

/**
 * The outcome of each prerequisite. All before the first that failed were met. Those behind it were never
 * evaluated.
 */
export function explainPrerequisites({
  set,
  flag,
  subject,
  evaluation,
}: PrerequisitesQuestion): PrerequisiteTrace[] {
  const hasFailed = evaluation.reason === 'PREREQUISITE_FAILED'
  const failed_at = hasFailed ? flag.prerequisites.findIndex((each) => !isMet(set, each, subject)) : -1
  return flag.prerequisites.map(({ flag_key, required_value = null }, index) => {
    const state = failed_at < 0 || index < failed_at ? 'met' : index === failed_at ? 'failed' : 'not_asked'
    const own = evaluate(set, flag_key, subject)
    const detail = describePrerequisite(flag_key, state, findComplaint(own, required_value))
    return { flag_key, required_value, state, evaluation: own, detail }
  })
}

/** No flag has such a key. */
const PROBE = ' probe'

/** Evaluates a flag that has only this prerequisite, and therefore as many levels below it. */
function isMet(set: FlagSet, prerequisite: Flag['prerequisites'][number], subject: Subject): boolean {
  set.upsert({ key: PROBE, is_enabled: true, prerequisites: [prerequisite] })
  const { enabled } = evaluate(set, PROBE, subject)
  set.remove(PROBE)
  return enabled
}

/** The reason why an evaluation does not satisfy; null if it does when the flag is evaluated by itself. */
function findComplaint({ enabled, reason, value }: Evaluation, required: JsonValue): string | null {
  if (reason === 'FLAG_NOT_FOUND') return 'does not exist or is archived'
  if (reason === 'ERROR') return 'is malformed'
  if (reason === 'PREREQUISITE_FAILED') return 'fails because of its own prerequisites'
  if (!enabled) return reason === 'DISABLED' ? 'is off' : 'is off for this user'
  if (required === null || deepEqual(value, required)) return null
  return `gives ${formatValue(value)} and has to give ${formatValue(required)}`
}

function describePrerequisite(
  flag_key: string,
  state: PrerequisiteTrace['state'],
  complaint: string | null,
): string {
  if (state === 'met') return `Prerequisite ${flag_key} holds.`
  if (state === 'not_asked') return `Prerequisite ${flag_key} was not asked.`
  return `Prerequisite ${flag_key} ${complaint ?? 'lies in a chain of more than ten levels'}.`
}

/**
 * The flags from the prerequisite that failed down to the flag that is the cause. The list ends where it
 * leads back to itself.
 */
export function followFailure(set: FlagSet, subject: Subject, evaluation: Evaluation): string[] {
  const chain: string[] = []
  for (let key = evaluation.prerequisite_key; key !== undefined; ) {
    const isCircle = chain.includes(key)
    chain.push(key)
    if (isCircle) break
    key = evaluate(set, key, subject).prerequisite_key
  }
  return chain
}

const evaluate = (set: FlagSet, flag_key: string, { attributes, user_key }: Subject): Evaluation =>
  set.evaluate(flag_key, { userKey: user_key, attributes })
