import type { StaleFlag } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

/** The facts about a flag in one environment. */
export interface EnvironmentFacts {
  readonly environment_id: string
  readonly name: string
  /** The value that every user gets; undefined where that is not proved. */
  readonly constant?: { readonly value: JsonValue }
  /** The impressions of the flag in the days that are looked at. */
  readonly impressions: number
  /** The value of all of them; undefined where there were several. */
  readonly onlyValue?: string
  /** True where programs reported impressions of any flag in these days. */
  readonly isReporting: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly expires_at: string | null
  readonly isPermanent: boolean
  readonly isEnabled: boolean
}

export interface FlagFacts {
  readonly flag_key: string
  readonly environments: readonly EnvironmentFacts[]
  readonly dependants: StaleFlag['dependants']
}

/** The days that are looked at. */
export interface Window {
  readonly days: number
  /** Its begin and its end, ISO 8601 in UTC. */
  readonly since: string
  readonly now: string
}

type Evidence = StaleFlag['evidence'][number]

const VALUE_SHOWN_MAX_LENGTH = 100

/**
 * Assesses whether a flag may be removed (docs/trust.md#flags-to-remove). `remove` needs a proof: one value
 * for every user wherever programs evaluate it, or no evaluation at all beside those of other flags. Needed
 * flags, and those that were changed lately and are off or not evaluated, need a decision.
 */
export function assessFlag({ dependants, environments, flag_key }: FlagFacts, window: Window): StaleFlag {
  const evidence = environments.flatMap((facts) => listEvidence(facts, window))
  const verdict = { flag_key, evidence, dependants: [...dependants] }
  if (environments.some(({ isPermanent }) => isPermanent)) return { ...verdict, verdict: 'keep' }
  const proof = findProof(environments, window)
  if (proof !== null && dependants.length === 0) return { ...verdict, ...proof, verdict: 'remove' }
  const isDoubtful = evidence.some(
    ({ code, environment_id }) =>
      code === 'expired' ||
      code === 'constant_proved' ||
      ((code === 'not_evaluated' || code === 'constant_seen') &&
        environments.some((facts) => facts.environment_id === environment_id && isUnchanged(facts, window))),
  )
  return { ...verdict, ...proof, verdict: isDoubtful ? 'ask' : 'keep' }
}

/** Returns the value to keep in code; null where neither a constant nor the lack of evaluations is proved. */
function findProof(
  environments: readonly EnvironmentFacts[],
  window: Window,
): { keep_value?: JsonValue } | null {
  const evaluated = environments.filter(({ impressions }) => impressions > 0)
  if (evaluated.length === 0) {
    const isUnused = environments.every((facts) => facts.isReporting && isUnchanged(facts, window))
    return environments.length > 0 && isUnused ? {} : null
  }
  if (!environments.every((facts) => hasBegun(facts) || isUnchanged(facts, window))) return null
  const [first] = evaluated
  const constant = first?.constant
  if (constant === undefined) return null
  const text = JSON.stringify(constant.value)
  const isSame = evaluated.every((one) => one.constant && JSON.stringify(one.constant.value) === text)
  return isSame ? { keep_value: constant.value } : null
}

/** False for a flag that is off, whose release may be still to come. */
const hasBegun = ({ constant, isEnabled }: EnvironmentFacts): boolean =>
  isEnabled && constant?.value !== false

const isUnchanged = ({ updated_at }: EnvironmentFacts, { since }: Window): boolean =>
  Date.parse(updated_at) < Date.parse(since)

function listEvidence(facts: EnvironmentFacts, window: Window): Evidence[] {
  const { constant, environment_id, impressions, name, onlyValue, updated_at } = facts
  const evidence = (code: Evidence['code'], text: string, since?: string): Evidence => ({
    code,
    environment_id,
    ...(since !== undefined && { since }),
    text: `${name}: ${text}`,
  })
  const lately = window.days === 1 ? 'in a day' : `in ${window.days} days`
  const isOld = Date.parse(facts.created_at) < Date.parse(window.since)
  const isExpired = facts.expires_at !== null && Date.parse(facts.expires_at) <= Date.parse(window.now)
  return [
    ...(facts.isPermanent ? [evidence('permanent', 'it is meant to stay')] : []),
    ...(facts.expires_at !== null && isExpired
      ? [evidence('expired', 'it has expired', facts.expires_at)]
      : []),
    ...(constant ? [evidence('constant_proved', `every user gets ${show(constant.value)}`, updated_at)] : []),
    ...(impressions > 0 && onlyValue !== undefined
      ? [evidence('constant_seen', `${evaluations(impressions)} ${lately} gave ${onlyValue}`, window.since)]
      : []),
    ...(impressions === 0 && facts.isReporting && isOld
      ? [evidence('not_evaluated', `no evaluation ${lately}, though other flags had some`, window.since)]
      : []),
    ...(isUnchanged(facts, window) ? [evidence('unchanged', `not changed ${lately}`, updated_at)] : []),
  ]
}

const evaluations = (count: number): string =>
  count === 1 ? 'the only evaluation' : `all ${count} evaluations`

const show = (value: JsonValue): string =>
  value === null ? 'the default in the code' : JSON.stringify(value).slice(0, VALUE_SHOWN_MAX_LENGTH)
