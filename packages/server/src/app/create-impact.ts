import type { Kysely } from 'kysely'
import { createComputeImpact, createImpactRecorder } from '../features/impact/index.ts'
import { findViolations } from '../features/invariants/index.ts'
import type { ImpactOf } from '../features/stored-impacts/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log.ts'
import type { Config } from '../platform/settings/config.ts'

/** Creates what computes the impact of changes, and what stores it when they are made. */
export function createImpact(
  { seenUsersMax }: Config,
  { clock, db, log }: { readonly db: Kysely<Database>; readonly clock: Clock; readonly log: Log },
) {
  const computeImpact = createComputeImpact({
    ...{ clock, db, seenUsersMax },
    findViolations: (changed) => findViolations({ clock, db }, changed),
  })
  // The caller may make the changes: no other environment has to be readable for them.
  const impactOf: ImpactOf = ({ changes, environment_id, project_id, users }) => {
    const reader = { project_id, requireReadable: () => undefined }
    return computeImpact(
      { environment_id, reader },
      {
        changes: [...changes],
        ...(users && { users: [...users] }),
      },
    )
  }
  return { computeImpact, impactOf, impacts: createImpactRecorder({ clock, db, impactOf, log }) }
}
