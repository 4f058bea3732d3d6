import type { EvaluationSets } from '../../kernel/evaluation-set.ts'
import type { Clock } from '../../platform/clock.ts'
import { type BehaviourDecision, decideBehaviour } from '../../targeting/flag-operations/index.ts'

/** The time of all environments of a response. Later ones are undecided. */
const TOTAL_MS = 150
/** The time of one environment. */
const ENVIRONMENT_MS = 50

interface DriftDeps {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly sets: Pick<EvaluationSets, 'get'>
}

interface ComparedFlag {
  readonly key: string
  /** The environment that others are compared with. */
  readonly standardId: string
  readonly ids: readonly string[]
}

/**
 * Decides whether a flag gives every possible user the same as in the default environment, by environment. An
 * environment where SDKs do not have the flag has no decision.
 */
export async function decideDrifts(
  { clock, sets }: DriftDeps,
  { ids, key, standardId }: ComparedFlag,
): Promise<ReadonlyMap<string, BehaviourDecision>> {
  const drifts = new Map<string, BehaviourDecision>()
  const standard = await sets.get(standardId)
  if (!standard?.flags.has(key)) return drifts
  const end = clock.monotonicMs() + TOTAL_MS
  for (const id of ids) {
    const set = id === standardId ? null : await sets.get(id)
    if (!set?.flags.has(key)) continue
    const time = Math.min(ENVIRONMENT_MS, Math.max(0, end - clock.monotonicMs()))
    drifts.set(id, await decideBehaviour(standard.flags, set.flags, key, time))
  }
  return drifts
}
