import type { Kysely } from 'kysely'
import type { EvaluationSet, EvaluationSets } from '../../kernel/evaluation-set.ts'
import { toInstant } from '../../kernel/instant.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Analyses } from '../../platform/concurrency/analyses.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { AskedPast } from './asked-past.ts'
import { loadPastEnvironment } from './load-past-environment.ts'
import type { MomentFlags } from './moment-flags.ts'
import { loadPastNamed } from './past-moment.ts'

/** The moment to evaluate: at most one of the two, and the present without them. */
interface AskedMoment {
  /** The identity of the caller: callers take turns with all flags of a past moment. */
  readonly caller: string
  readonly at?: string | undefined
  readonly revision?: number | undefined
  /** The flags that are evaluated; null for all. */
  readonly keys: readonly string[] | null
}

/** Loads the flags of a moment. Refuses with `invalid` for a moment that is not known. */
export type LoadMoment = (environment_id: string, asked: AskedMoment) => Promise<MomentFlags>

interface MomentDeps {
  readonly db: Kysely<Database>
  readonly clock: Pick<Clock, 'now'>
  readonly sets: EvaluationSets
  readonly analyses: Analyses
}

/** Returns the loader of the present, from memory, and of past moments, from the history. */
export function createLoadMoment({ analyses, clock, db, sets }: MomentDeps): LoadMoment {
  /** All flags of an environment may be large, so loading them is an analysis. */
  async function loadAsked({ caller, keys }: AskedMoment, environment_id: string, asked: AskedPast) {
    if (keys !== null) return loadPastNamed(db, environment_id, asked, keys)
    const present = await sets.get(environment_id)
    if (!present) throw notFound('environment')
    return analyses.run(caller, () => loadPastEnvironment(db, present, asked))
  }
  return async (environment_id, asked) => {
    const { at, revision } = asked
    if (at !== undefined && revision !== undefined)
      throw invalid([{ path: '/revision', message: 'and "at" name two moments: give one of them' }])
    if (at !== undefined && Date.parse(toInstant(at)) > clock.now().getTime())
      throw invalid([
        { path: '/at', message: 'is in the future: give a past moment, or none for the present' },
      ])
    if (at !== undefined) return loadAsked(asked, environment_id, { at: toInstant(at), path: '/at' })
    if (revision !== undefined) return loadAsked(asked, environment_id, { revision })
    const set = await sets.get(environment_id)
    if (!set) throw notFound('environment')
    return toMoment(set)
  }
}

const toMoment = (set: EvaluationSet): MomentFlags => ({
  environment_id: set.environment_id,
  get revision() {
    return set.revision
  },
  flags: set.flags,
  keys: () => set.keys('server'),
})
