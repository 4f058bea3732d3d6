import type { ExperimentResults } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findFlag } from '../../targeting/flags/index.ts'
import type { ExperimentCounts } from './experiment-counts.ts'
import { toExperimentResults } from './experiment-results.ts'
import { type ExperimentPlace, findExperiment } from './queries.ts'
import { weightsOf } from './weights-of.ts'

/** Returns the results of an experiment by variant. Refuses with `not_found` when it does not exist. */
export async function readResults(
  { counts, db }: { readonly db: Kysely<Database>; readonly counts: ExperimentCounts },
  place: ExperimentPlace,
): Promise<ExperimentResults> {
  const experiment = await findExperiment(db, place)
  if (!experiment) throw notFound('experiment')
  const { control_variant, environment_id, flag_key, goal_event_key } = experiment
  const weights = weightsOf(await findFlag(db, environment_id, flag_key))
  // The control is the basis of comparison, and the split is checked over all values with a weight.
  const always = new Set([...(control_variant === null ? [] : [control_variant]), ...weights.keys()])
  const counted = await counts.find({ environment_id, flag_key, goal_event_key, always: [...always].sort() })
  return toExperimentResults(experiment, counted, weights)
}
