import type { Fields } from '../assert-valid.ts'
import { compileRollout, readDivision, readShare, THOUSANDTHS } from '../extension/division.ts'
import { rolloutPosition } from '../hashes/position.ts'
import type { Subject } from './subject.ts'
import type { RolloutTrace } from './trace.ts'

const PERCENT = 1000
const WHOLE_PERCENTS = 100

/** Returns the side of the flag's rollout on which the user is, whether or not the rollout decided. */
export function traceFlagRollout({ attributes, flag, userKey }: Subject): RolloutTrace {
  const share = readShare(flag.rollout_percentage, flag.rollout_thousandths)
  const rollout = traceRollout(flag, {}, { attributes, userKey, share })
  // A full rollout includes users whom nothing places.
  return share === THOUSANDTHS ? { ...rollout, inside: true } : rollout
}

/** Returns the side of a rule's share on which the user is; undefined for a rule without one. */
export function traceRuleRollout(
  { attributes, flag, userKey }: Subject,
  rule: Fields,
): RolloutTrace | undefined {
  if ((rule.rollout_percentage ?? rule.rollout_thousandths) == null) return undefined
  const share = readShare(rule.rollout_percentage, rule.rollout_thousandths)
  return traceRollout(flag, rule, { attributes, userKey, share })
}

interface Placed extends Pick<Subject, 'attributes' | 'userKey'> {
  /** In thousandths of a percent. */
  readonly share: number
}

function traceRollout(flag: Fields, rule: Fields, { attributes, share, userKey }: Placed): RolloutTrace {
  const division = readDivision(flag, rule)
  const { hash, keyOf, rolloutSalt } = division
  const key = keyOf(attributes, userKey)
  const bucketBy = rule.bucket_by ?? flag.bucket_by
  const isFine = share % PERCENT > 0 || hash !== 'murmur3'
  const fine = key === null ? null : bucketOf(rolloutPosition(hash, rolloutSalt)(key))
  return {
    percentage: share / PERCENT,
    bucket: fine === null || isFine ? fine : Math.floor(fine / PERCENT),
    bucket_of: isFine ? THOUSANDTHS : WHOLE_PERCENTS,
    ...(typeof bucketBy === 'string' && { bucket_by: bucketBy }),
    salt: rolloutSalt,
    inside: compileRollout(division, share)(attributes, userKey),
  }
}

/** The last bucket that begins at or before the position, by the comparison that a rollout makes. */
function bucketOf(position: number): number {
  const bucket = Math.floor(position * THOUSANDTHS)
  if (position < bucket / THOUSANDTHS) return bucket - 1
  return position < (bucket + 1) / THOUSANDTHS ? bucket : bucket + 1
}
