import type { Violation } from '@burgee/contract'
import { createFlagSet } from '@burgee/evaluation'
import type { Kysely } from 'kysely'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import type { Clock } from '../../platform/clock.ts'
import { inShortTurns, shareTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findEnvironment } from '../../structure/environments/index.ts'
import { decideInvariant } from './decide-invariant.ts'
import { covers, flagsOf } from './invariant.ts'
import { listInvariants } from './queries.ts'
import { toViolation } from './violation.ts'

/** The time of all explorations beside an impact. Later invariants are undecided. */
const EXPLORATIONS_MS = 1_000

interface ChangedFlags {
  readonly project_id: string
  readonly environment_id: string
  /** The flags of the environment after the changes, by key. */
  readonly flags: ReadonlyMap<string, WireFlag>
  /** The keys of flags that change, and of those that need them. */
  readonly moved: { has(key: string): boolean }
}

/** Returns the invariants of the project that do not hold any more for flags that move. */
export async function findViolations(
  { clock, db }: { readonly db: Kysely<Database>; readonly clock: Pick<Clock, 'monotonicMs'> },
  { environment_id, flags, moved, project_id }: ChangedFlags,
): Promise<Violation[]> {
  const all = await listInvariants(db, project_id)
  const touched = all.filter((invariant) => flagsOf(invariant).some((key) => moved.has(key)))
  if (touched.length === 0) return []
  const environment = await findEnvironment(db, { environment_id, project_id })
  const covering = touched.filter((invariant) => environment && covers(invariant, environment.slug))
  const set = createFlagSet()
  const wanted = new Set(covering.flatMap(flagsOf))
  for (const key of wanted) {
    await shareTurn()
    const flag = flags.get(key)
    if (!flag) continue
    set.upsert(flag)
    for (const { flag_key } of flag.prerequisites) wanted.add(flag_key)
  }
  const end = clock.monotonicMs() + EXPLORATIONS_MS
  const violations: (Violation | null)[] = []
  for (const invariant of covering) {
    const limits = { time: Math.max(0, end - clock.monotonicMs()) }
    violations.push(toViolation(invariant, await inShortTurns(decideInvariant(set, invariant, limits))))
  }
  return violations.filter((violation) => violation !== null)
}
