import { EXCEEDED_BOUNDS_MAX, type ExceededBound, segmentsNamedBy } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { createCheckBudget } from '../../kernel/check-budget.ts'
import type { Database } from '../../platform/db/tables.ts'
import { validateValueSchema } from '../../targeting/flag-model/index.ts'
import { findFlag } from '../../targeting/flags/index.ts'
import { findBoundWarnings } from '../../targeting/rules/index.ts'
import { readReachedSegments } from '../../targeting/segment-rows/index.ts'
import { toExceededBound } from './exceeded-bound.ts'
import {
  type Candidate,
  findContentMark,
  findRules,
  hasCostlySegments,
  listCandidates,
} from './flag-queries.ts'

/** An environment and its project. */
interface Place {
  readonly project_id: string
  readonly environment_id: string
}

/** Waits for the turn of the next step. Throws to end the search. */
export type BeforeStep = () => Promise<void>

/** The clock of checks here: their steps alone end them, also while the machine is busy. */
const NO_TIME = () => 0

interface Known {
  readonly mark: string
  readonly found: readonly ExceededBound[]
}

/** The environments whose flags are remembered until one is written. */
const KNOWN_MAX = 1_000
/** The findings of all remembered environments together. */
const KNOWN_FINDINGS_MAX = 10_000

/** Finds the flags of an environment that exceed a bound, and remembers them until something is written. */
type FindExceededFlags = (place: Place, beforeStep: BeforeStep) => Promise<readonly ExceededBound[]>

export function createFindExceededFlags(db: Kysely<Database>): FindExceededFlags {
  /** By environment, the one that was used last at the end. */
  const known = new Map<string, Known>()

  async function examine(place: Place, candidate: Candidate): Promise<ExceededBound[]> {
    const { environment_id } = place
    const { has_cost, has_schema, key } = candidate
    const about = { ...place, resource: 'flag', key } as const
    const found: ExceededBound[] = []
    const flag = has_schema ? await findFlag(db, environment_id, key) : undefined
    if (flag) {
      const problem = validateValueSchema(flag, null, createCheckBudget(NO_TIME)).find(({ path }) =>
        path.startsWith('/value_schema'),
      )
      if (problem)
        found.push(
          toExceededBound({ ...about, kind: 'value_schema', message: `${problem.path} ${problem.message}.` }),
        )
    }
    if (!has_cost) return found
    const rules = flag?.rules ?? (await findRules(db, environment_id, key))
    const segments = await readReachedSegments(db, environment_id, [
      ...new Set(rules.flatMap(segmentsNamedBy)),
    ])
    const [warning] = findBoundWarnings(rules, segments)
    if (warning)
      found.push(
        toExceededBound({
          ...about,
          kind: 'evaluation_bound',
          message: `${warning.path}: ${warning.message}`,
        }),
      )
    return found
  }

  async function search(place: Place, beforeStep: BeforeStep): Promise<readonly ExceededBound[]> {
    const { environment_id } = place
    const segmentsCost = await hasCostlySegments(db, environment_id)
    const found: ExceededBound[] = []
    for (let after = ''; ; ) {
      const candidates = await listCandidates(db, environment_id, { after, segmentsCost })
      await beforeStep()
      for (const candidate of candidates) {
        if (!candidate.has_schema && !candidate.has_cost) continue
        await beforeStep()
        found.push(...(await examine(place, candidate)))
        if (found.length >= EXCEEDED_BOUNDS_MAX) return found.slice(0, EXCEEDED_BOUNDS_MAX)
      }
      const last = candidates.at(-1)
      if (!last) return found
      after = last.key
    }
  }

  function remember(environment_id: string, entry: Known): void {
    known.delete(environment_id)
    known.set(environment_id, entry)
    let findings = [...known.values()].reduce((sum, { found }) => sum + found.length, 0)
    for (const [oldest, { found }] of known) {
      if (known.size <= KNOWN_MAX && findings <= KNOWN_FINDINGS_MAX) return
      known.delete(oldest)
      findings -= found.length
    }
  }

  return async (place, beforeStep) => {
    const { environment_id } = place
    // Read before the flags: a write meanwhile makes the next search start over.
    const mark = await findContentMark(db, environment_id)
    const last = known.get(environment_id)
    const found = last?.mark === mark ? last.found : await search(place, beforeStep)
    remember(environment_id, { mark, found })
    return found
  }
}
