import type { JsonValue } from '@burgee/evaluation'
import { EVERYONE } from '../../divide.ts'
import type { Division, Outcome, Weighted } from '../../drafts.ts'
import { Gap } from '../../gap.ts'
import { isObject, type JsonObject, jsonOf, numberOf, objectsOf, textOf } from '../../reading.ts'
import type { FlagNotes } from '../../report.ts'
import { attributeOf } from './ld-clauses.ts'
import type { LdFlag } from './ld-files.ts'

/** The result of a rule or of the fallthrough. */
export interface Served {
  readonly outcome: Outcome
  /** The attribute of a rollout, and what users without it get. */
  readonly missing?: { readonly attribute: string; readonly outcome: Outcome }
}

/** Reads what a rule or the fallthrough serves. Refuses what LaunchDarkly calls malformed. */
export function servedBy(target: JsonObject, flag: LdFlag, notes: FlagNotes, path: string): Served {
  if (target.variation !== undefined && target.variation !== null)
    return { outcome: { kind: 'value', value: valueAt(flag, target.variation) } }
  const { rollout } = target
  if (!isObject(rollout)) throw new Gap('malformed', 'It serves neither a variation nor a rollout.')
  const variants = weightsOf(rollout, flag)
  const [first] = variants
  if (!first) throw new Gap('malformed', 'Its rollout has no variations.')
  const isExperiment = rollout.kind === 'experiment'
  if (isExperiment)
    notes.remark('experiment', path, 'It belongs to an experiment. Its shares are kept, its results are not.')
  const place = { notes, path }
  const attribute = isExperiment
    ? attributeOf('key', rollout.contextKind, place)
    : attributeOf(rollout.bucketBy ?? 'key', rollout.contextKind, place)
  const division = divisionOf(rollout, flag, attribute)
  const outcome: Outcome = variants.every(({ value }) => value === first.value)
    ? { kind: 'value', value: first.value }
    : { kind: 'split', variants, division }
  if (division.bucketBy === undefined || outcome.kind === 'value') return { outcome }
  // Without the attribute a context is at the start of the first share.
  const { value } = variants.find(({ weight }) => weight > 0) ?? first
  return { outcome, missing: { attribute, outcome: { kind: 'value', value } } }
}

/** The text before the key is `<flag>.<salt>.`, or `<seed>.`. */
function divisionOf(rollout: JsonObject, { key, state }: LdFlag, attribute: string): Division {
  const seed = numberOf(rollout.seed)
  const salt = seed === null ? `${key}.${textOf(state.salt) ?? ''}.` : `${seed}.`
  return { hash: 'launchdarkly', salt, ...(attribute !== '$user_key' && { bucketBy: attribute }) }
}

/**
 * Weights are in thousandths of a percent. What they have beyond all users is cut, what they lack belongs to
 * the last one.
 */
function weightsOf(rollout: JsonObject, flag: LdFlag): readonly Weighted[] {
  const variations = objectsOf(rollout.variations)
  let left = EVERYONE
  return variations.map(({ variation, weight }, index) => {
    const isLast = index === variations.length - 1
    const own = isLast ? left : Math.min(left, Math.max(0, numberOf(weight) ?? 0))
    left -= own
    return { value: valueAt(flag, variation), weight: own }
  })
}

/** Returns the value of a variation by its index. */
export function valueAt({ variations }: LdFlag, index: unknown): JsonValue {
  const variation = typeof index === 'number' ? variations[index] : undefined
  if (!variation) throw new Gap('malformed', `There is no variation ${JSON.stringify(index)}.`)
  return jsonOf(variation.value)
}
