import type { Kysely } from 'kysely'
import {
  createComputeImpact,
  createComputePastImpacts,
  createImpactRecorder,
  createSeenSamples,
} from '../governance/impact/index.ts'
import { findViolations } from '../governance/invariants/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Analyses } from '../platform/concurrency/analyses.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log/log.ts'
import type { Config } from '../platform/settings/config.ts'
import type { ImpactOf } from '../targeting/stored-impacts/index.ts'

interface ImpactParts {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  readonly analyses: Analyses
}

type ChangedFlags = Parameters<typeof findViolations>[1]

/** Creates what computes the impact of changes, and what stores it when they are made. */
export function createImpact({ seenUsersMax }: Config, { analyses, clock, db, log }: ImpactParts) {
  const deps = {
    ...{ clock, db, seenUsersMax },
    seenSamples: createSeenSamples({ db }),
    findViolations: (changed: ChangedFlags) => findViolations({ clock, db }, changed),
  }
  const computeImpact = createComputeImpact(deps, { analyses })
  // The caller may make the changes: no other environment has to be readable for them.
  const impactOf: ImpactOf = ({ caller, changes, environment_id, project_id, users }) => {
    const reader = { project_id, requireReadable: () => undefined }
    return computeImpact(
      caller,
      { environment_id, reader },
      {
        changes: [...changes],
        ...(users && { users: [...users] }),
      },
    )
  }
  const computePastImpacts = createComputePastImpacts(deps, { analyses })
  return {
    computeImpact,
    computePastImpacts,
    impactOf,
    impacts: createImpactRecorder({ clock, db, impactOf, log }),
  }
}
