import type { Invariant, InvariantCheck, InvariantCheckInput } from '@burgee/contract'
import { createFlagSet, type EvaluationContext, type FlagSet } from '@burgee/evaluation'
import { explain } from '@burgee/evaluation/explain'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { createCheckBudget } from '../../kernel/check-budget.ts'
import { invalid } from '../../kernel/refusal.ts'
import { readerOf, requireReadable } from '../../kernel/require-readable.ts'
import type { ProjectScope } from '../../kernel/scope.ts'
import type { Clock } from '../../platform/clock.ts'
import { inShortTurns, shareTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { listEnvironments } from '../../structure/environments/index.ts'
import { readCompared } from '../impact/index.ts'
import { decideInvariant, type InvariantVerdict } from './decide-invariant.ts'
import { findProblems } from './find-problems.ts'
import { covers, whenOf } from './invariant.ts'
import { listInvariants } from './queries.ts'

export interface CheckDeps {
  readonly db: Kysely<Database>
  readonly clock: Pick<Clock, 'monotonicMs' | 'now'>
}

/** The time of all explorations of a check. Later invariants are undecided. */
const EXPLORATIONS_MS = 5_000
/** The time of one invariant. */
const EXPLORATION_MS = 1_000

type Checked = Omit<Invariant, 'description' | 'enforcement' | 'created_by' | 'created_at'>

/**
 * Decides invariants for every user of an environment, as it is or after changes that are not made. Refuses
 * with `forbidden` who may not read the environment, and with `invalid` what the writes would refuse.
 */
export async function checkInvariants(
  { clock, db }: CheckDeps,
  actor: Actor,
  scope: ProjectScope,
  { changes = [], environment_id: id, invariants: given }: InvariantCheckInput,
): Promise<InvariantCheck[]> {
  const environment_id = id.toLowerCase()
  const environments = await listEnvironments(db, scope.project_id)
  requireReadable(actor, scope, environment_id, 'read_project')
  const environment = environments.find((one) => one.id === environment_id)
  if (!environment) throw invalid([{ path: '/environment_id', message: 'is no environment of the project' }])
  const slugs = environments.map(({ slug }) => slug)
  const all = given ? readGiven(given, slugs) : await listInvariants(db, scope.project_id)
  const covering = all.filter((invariant) => covers(invariant, environment.slug))
  if (covering.length === 0) return []
  const { after } = await readCompared(db, {
    ...{ environment_id, changes },
    reader: readerOf(actor, scope),
    moment: { now: clock.now().toISOString(), budget: createCheckBudget(clock.monotonicMs) },
  })
  const flags = createFlagSet()
  for (const flag of after.values()) {
    await shareTurn()
    flags.upsert(flag)
  }
  const end = clock.monotonicMs() + EXPLORATIONS_MS
  const checks: InvariantCheck[] = []
  for (const invariant of covering) {
    const time = Math.min(EXPLORATION_MS, Math.max(0, end - clock.monotonicMs()))
    checks.push(
      toCheck(flags, invariant.key, await inShortTurns(decideInvariant(flags, invariant, { time }))),
    )
  }
  return checks
}

const withoutWhen = <T extends object>({ when: _, ...invariant }: T & { readonly when?: unknown }) =>
  invariant

function readGiven(
  given: NonNullable<InvariantCheckInput['invariants']>,
  slugs: readonly string[],
): readonly Checked[] {
  const invariants = given.map(
    (one): Checked => ({
      ...withoutWhen(one),
      ...whenOf(one.when),
      environments: one.environments ?? null,
    }),
  )
  const problems = invariants.flatMap((invariant, index) =>
    findProblems(invariant, slugs, given[index] ?? {}).map(({ message, path }) => ({
      path: `/invariants/${index}${path}`,
      message,
    })),
  )
  if (problems.length > 0) throw invalid(problems)
  return invariants
}

function toCheck(flags: FlagSet, key: string, decided: InvariantVerdict): InvariantCheck {
  if (decided.verdict === 'holds') return { key, verdict: 'holds' }
  const { verdict, why } = decided
  const example = decided.verdict === 'violated' ? decided.counterExample : undefined
  if (!example) return { key, verdict, why }
  const { attributes, flag_key, user_key } = example
  const { trace } = explain(flags, flag_key, { userKey: user_key, attributes } as EvaluationContext)
  const counter_example = { ...example, ...(trace && { trace: trace as never }) }
  return { key, verdict, why, counter_example }
}
