import {
  checkImplicationInSteps,
  checkShareInSteps,
  checkValuesInSteps,
  type ExplorationLimits,
  type Steps,
  type Verdict,
  type Witness,
} from '@burgee/analysis'
import type { Invariant, Violation } from '@burgee/contract'
import {
  deepEqual,
  type EvaluatedFlag,
  type EvaluationContext,
  type FlagSet,
  type JsonValue,
} from '@burgee/evaluation'
import type { StoredDemand } from './invariant.ts'

/** The decision on an invariant in one environment. `holds` is a proof. */
export type InvariantVerdict =
  | { readonly verdict: 'holds' }
  | {
      readonly verdict: 'violated'
      readonly why: string
      /** A user whom the evaluator gives what is forbidden; absent where the shape is violated. */
      readonly counterExample?: CounterExample
    }
  | { readonly verdict: 'undecided'; readonly why: string }

type CounterExample = NonNullable<Violation['counter_example']>

const HOLDS = { verdict: 'holds' } as const

/**
 * Decides an invariant for every user of the flags, and yields where it may be interrupted. A flag that does
 * not exist violates only its shape.
 */
export function* decideInvariant(
  flags: FlagSet,
  invariant: StoredDemand,
  limits: ExplorationLimits,
): Steps<InvariantVerdict> {
  const { at_most, flag, implies, never, only, shape, when = [] } = invariant
  if (shape) return decideShape(flags, flag, shape)
  if (!flags.has(flag)) return HOLDS
  if (implies) {
    const one = { flagKey: flag, value: implies.value }
    const other = { flagKey: implies.flag, value: implies.is }
    return toVerdict(flags, implies.flag, yield* checkImplicationInSteps(flags, when, one, other, limits))
  }
  if (at_most) {
    const share = yield* checkShareInSteps(flags, flag, when, at_most, limits)
    if (share.verdict !== 'violated') return share
    const percent = Number(share.percent.toFixed(3))
    const why = `${percent} percent of the users with the same attributes get ${show(at_most.value)}`
    return violatedBy(flags, flag, share.user, why)
  }
  const has = (list: readonly JsonValue[], value: JsonValue) => list.some((each) => deepEqual(each, value))
  const isAllowed = ({ value }: { readonly value: JsonValue }) =>
    never ? !has(never, value) : has(only ?? [], value)
  return toVerdict(flags, flag, yield* checkValuesInSteps(flags, flag, when, isAllowed, limits))
}

function toVerdict(flags: FlagSet, key: string, checked: Verdict): InvariantVerdict {
  return checked.verdict === 'violated' ? violatedBy(flags, key, checked.user) : checked
}

function violatedBy(flags: FlagSet, key: string, user: Witness, why?: string): InvariantVerdict {
  const { attributes, userKey } = user
  const { reason, rule_index, value = null } = flags.evaluate(key, user as EvaluationContext)
  const counterExample = {
    user_key: userKey,
    attributes: { ...attributes } as CounterExample['attributes'],
    flag_key: key,
    value: value as CounterExample['value'],
    reason,
    ...(rule_index !== undefined && { rule_index }),
  }
  const who = userKey === null ? 'an anonymous user' : `the user ${show(userKey)}`
  const shown = `${who} with the attributes ${show(attributes)} gets ${show(value)} of ${key}`
  return { verdict: 'violated', why: why ? `${why}; ${shown}` : shown, counterExample }
}

const SHAPE_FIELDS = ['flag_type', 'default_value', 'disabled_value'] as const

function decideShape(
  flags: FlagSet,
  key: string,
  { exists, ...fields }: NonNullable<Invariant['shape']>,
): InvariantVerdict {
  const flag = flags.get(key) as Partial<EvaluatedFlag> | undefined
  if (!flag) return exists === true ? { verdict: 'violated', why: `the flag ${key} does not exist` } : HOLDS
  if (exists === false) return { verdict: 'violated', why: `the flag ${key} exists` }
  for (const name of SHAPE_FIELDS) {
    const wanted = fields[name]
    if (wanted === undefined || deepEqual(flag[name], wanted)) continue
    return { verdict: 'violated', why: `the ${name} of ${key} is ${show(flag[name])}, not ${show(wanted)}` }
  }
  return HOLDS
}

const SHOWN_MAX_LENGTH = 500

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > SHOWN_MAX_LENGTH ? `${text.slice(0, SHOWN_MAX_LENGTH)}…` : text
}
