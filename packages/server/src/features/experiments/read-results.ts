import type { ExperimentResults } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findFlag } from '../flags/index.ts'
import type { ExperimentCounts } from './experiment-counts.ts'
import { toExperimentResults } from './experiment-results.ts'
import { type ExperimentPlace, findExperiment } from './queries.ts'
import { weightsOf } from './weights-of.ts'

/** How the variants of an experiment do. Refuses with `not_found` when it is gone. */
export async function readResults(
  { counts, db }: { readonly db: Kysely<Database>; readonly counts: ExperimentCounts },
  place: ExperimentPlace,
): Promise<ExperimentResults> {
  const experiment = await findExperiment(db, place)
  if (!experiment) throw notFound('experiment')
  const { environment_id, flag_key, goal_event_key } = experiment
  const [counted, flag] = await Promise.all([
    counts.find({ environment_id, flag_key, goal_event_key }),
    findFlag(db, environment_id, flag_key),
  ])
  return toExperimentResults(experiment, counted, weightsOf(flag))
}
