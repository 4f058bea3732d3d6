import { type Behaviour, behaviourInSteps } from '@burgee/analysis'
import type { FlagComparison } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { EvaluationSet, EvaluationSets } from '../../kernel/evaluation-set.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import type { KeyedQueue } from '../../platform/concurrency/keyed-queue.ts'
import { inShortTurns } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findRevision } from '../flags/index.ts'

export interface DeciderDeps {
  readonly db: Kysely<Database>
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly sets: EvaluationSets
  /** One analysis runs at a time. */
  readonly analyses: KeyedQueue
}

export type BehaviourDecision = Pick<FlagComparison['flags'][number], 'behaviour' | 'example' | 'why'>

/** Decides whether a flag behaves the same in two environments. */
export type Decide = (flag_key: string) => Promise<BehaviourDecision>

/** The time of all flags of a response. Later ones are undecided. */
const TOTAL_MS = 10_000
/** The time of one flag. */
const FLAG_MS = 250

/** Returns the decision for the flags of two environments, from memory. */
export async function createDecider(
  { analyses, clock, db, sets }: DeciderDeps,
  source: string,
  target: string,
): Promise<Decide> {
  const load = async (environment_id: string) => {
    const set = await sets.get(environment_id)
    const current = await findRevision(db, environment_id)
    if (!set || !current) throw notFound('environment')
    await sets.whenReached(set, current.revision)
    return set.flags
  }
  const [one, other] = [await load(source), await load(target)]
  let spentMs = 0
  return (flag_key) =>
    analyses.run('explore', async () => {
      if (spentMs > TOTAL_MS)
        return { behaviour: 'undecided', why: 'the flags before took too long; ask for fewer with limit' }
      const start = clock.monotonicMs()
      const decided = await decideBehaviour(one, other, flag_key, FLAG_MS)
      spentMs += clock.monotonicMs() - start
      return decided
    })
}

/** Decides whether a flag of two sets behaves the same, within a time in milliseconds. */
export async function decideBehaviour(
  one: EvaluationSet['flags'],
  other: EvaluationSet['flags'],
  flag_key: string,
  time: number,
): Promise<BehaviourDecision> {
  return toDecision(await inShortTurns(behaviourInSteps(one, other, flag_key, { time })))
}

function toDecision(decided: Behaviour): BehaviourDecision {
  if (decided.verdict === 'same') return { behaviour: 'same' }
  if (decided.verdict === 'undecided') return { behaviour: 'undecided', why: decided.why }
  const { source, target, user } = decided
  const example = { user_key: user.userKey, attributes: { ...user.attributes }, source, target }
  return { behaviour: 'different', example: example as NonNullable<BehaviourDecision['example']> }
}
