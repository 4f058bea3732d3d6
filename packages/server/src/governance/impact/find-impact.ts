import type { Impact, ImpactInput, Violation } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { createCheckBudget } from '../../kernel/check-budget.ts'
import type { Clock } from '../../platform/clock.ts'
import { inShortTurns } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { type Comparison, compare } from './compare.ts'
import { countUsers } from './count-users.ts'
import { findShares } from './find-shares.ts'
import { type ComparedFlags, readCompared } from './read-change.ts'
import type { Reader } from './read-environment.ts'
import type { SeenSamples } from './seen-samples.ts'

export interface ImpactDeps {
  readonly db: Kysely<Database>
  readonly clock: Pick<Clock, 'monotonicMs' | 'now'>
  readonly seenSamples: SeenSamples
  /** The users of a day that are kept. */
  readonly seenUsersMax: number
  /** Returns the invariants that changed flags violate. `app/flag-writes.ts` provides it. */
  readonly findViolations: (changed: ChangedFlags) => Promise<Violation[]>
}

interface ChangedFlags {
  readonly project_id: string
  readonly environment_id: string
  readonly flags: ComparedFlags['after']
  readonly moved: Comparison['causes']
}

/** The environment, and who asks. */
export interface ImpactPlace {
  readonly environment_id: string
  readonly reader: Reader
}

const EXAMPLES_DEFAULT = 5

/**
 * Computes who gets another result by changes (docs/trust.md#who-a-change-affects). Refuses what the writes
 * would refuse, except for a missing approval.
 */
export async function findImpact(
  { clock, db, findViolations, seenSamples, seenUsersMax }: ImpactDeps,
  { environment_id, reader }: ImpactPlace,
  { changes, days, examples = EXAMPLES_DEFAULT, users: given }: ImpactInput,
): Promise<Impact> {
  const startedMs = clock.monotonicMs()
  const moment = { now: clock.now().toISOString(), budget: createCheckBudget(clock.monotonicMs) }
  const compared = await readCompared(db, { environment_id, changes, reader, moment })
  const comparison = await inShortTurns(compare(compared))
  const users = given ?? (await seenSamples.read({ environment_id, days, limit: seenUsersMax }))
  const counted = await countUsers(comparison, { users, seenUsersMax, examples })
  const moved = comparison.causes
  const listed = counted.flags.map(({ flag_key }) => flag_key)
  const shares = await inShortTurns(findShares(comparison, listed))
  const { project_id } = reader
  const violations = await findViolations({ project_id, environment_id, flags: compared.after, moved })
  return {
    ...counted,
    revision: compared.revision,
    flags: counted.flags.map((flag) => withShare(flag, shares.get(flag.flag_key))),
    warnings: [...compared.warnings],
    violations,
    took_ms: Math.round(clock.monotonicMs() - startedMs),
  }
}

const withShare = (flag: Impact['flags'][number], hash_share: number | undefined) =>
  hash_share === undefined ? flag : { ...flag, hash_share }
