import type { Kysely } from 'kysely'
import type { EnvironmentWrite, WriteDeps } from '../changes/index.ts'
import { openChangeRequest } from '../features/change-requests/index.ts'
import {
  executeScheduledChange,
  listDueChanges,
  removePendingChanges,
} from '../features/scheduled-changes/index.ts'
import { createCopySegments } from '../features/segments/index.ts'
import { statusOf } from '../http/error-reply.ts'
import { createScheduledChangesRun } from '../jobs/run-scheduled-changes.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log.ts'

/**
 * What commands on flags need of other features, and the run of the scheduled ones. Here because features meet through
 * function types that one declares and another fulfils.
 */
export function createFlagWrites(
  { clock, db, log }: { readonly db: Kysely<Database>; readonly clock: Clock; readonly log: Log },
  writes: WriteDeps & { readonly newId: () => string },
) {
  const flag_writes = {
    ...writes,
    statusOf,
    openChangeRequest,
    copySegments: createCopySegments(writes),
    onFlagDeleted: ({ environment, tx }: EnvironmentWrite, key: string) =>
      removePendingChanges(tx, environment.id, key),
    onScheduled: () => scheduled.runSoon(),
  }
  const scheduled = createScheduledChangesRun({
    clock,
    log,
    listDue: (selection) => listDueChanges(db, selection),
    execute: (change) => executeScheduledChange(flag_writes, change),
  })
  return { flag_writes, scheduled }
}
