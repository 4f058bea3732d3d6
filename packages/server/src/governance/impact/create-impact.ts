import type { Kysely } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Analyses } from '../../platform/concurrency/analyses.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Config } from '../../platform/settings/config.ts'
import type { ImpactOf } from '../../targeting/stored-impacts/index.ts'
import { createComputeImpact } from './compute-impact.ts'
import { createComputePastImpacts } from './compute-past-impacts.ts'
import type { ImpactDeps } from './find-impact.ts'
import { createImpactRecorder } from './impact-recorder.ts'
import { createSeenSamples } from './seen-samples.ts'

interface ImpactPartsDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  readonly analyses: Analyses
  /** Decides the invariants of changed flags. */
  readonly findViolations: ImpactDeps['findViolations']
}

export type ImpactParts = ReturnType<typeof createImpact>

/** Creates what computes the impact of changes, and what stores it when they are made. */
export function createImpact(
  { seenUsersMax }: Pick<Config, 'seenUsersMax'>,
  { analyses, clock, db, findViolations, log }: ImpactPartsDeps,
) {
  const deps = { clock, db, seenUsersMax, findViolations, seenSamples: createSeenSamples({ db }) }
  const computeImpact = createComputeImpact(deps, { analyses })
  // The caller may make the changes: no other environment has to be readable for them.
  const impactOf: ImpactOf = ({ caller, changes, environment_id, project_id, users }) => {
    const reader = { project_id, requireReadable: () => undefined }
    const of = { changes: [...changes], ...(users && { users: [...users] }) }
    return computeImpact(caller, { environment_id, reader }, of)
  }
  return {
    computeImpact,
    computePastImpacts: createComputePastImpacts(deps, { analyses }),
    impactOf,
    impacts: createImpactRecorder({ clock, db, impactOf, log }),
  }
}
