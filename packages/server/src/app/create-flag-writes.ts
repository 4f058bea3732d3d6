import type { Kysely } from 'kysely'
import type { EnvironmentWrite, WriteDeps } from '../changes/index.ts'
import {
  listPendingBodies,
  openChangeRequest,
  renameSegmentInRequests,
} from '../features/change-requests/index.ts'
import { readWaitingRules, type SegmentRename, type WaitingRules } from '../features/flags/index.ts'
import {
  executeScheduledChange,
  listDueChanges,
  listPendingPatches,
  removePendingChanges,
  renameSegmentInPending,
} from '../features/scheduled-changes/index.ts'
import { createScheduledChangesRun } from '../features/scheduled-changes/scheduler.ts'
import { createCopySegments } from '../features/segments/index.ts'
import { statusOf } from '../http/error-reply.ts'
import { toRefusal } from '../http/to-refusal.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log.ts'

/**
 * Creates what commands on flags need from other features, and the run of scheduled changes. It is here
 * because features depend on function types that one declares and another implements.
 */
export function createFlagWrites(
  { clock, db, log }: { readonly db: Kysely<Database>; readonly clock: Clock; readonly log: Log },
  writes: WriteDeps & { readonly newId: () => string },
) {
  const flagWrites = {
    ...writes,
    log,
    listWaitingRules,
    statusOf,
    refusalOf: toRefusal,
    openChangeRequest,
    copySegments: createCopySegments({ ...writes, listWaitingRules }),
    onSegmentRenamed: async (write: EnvironmentWrite, rename: SegmentRename) => {
      await renameSegmentInPending(write.tx, write.environment.id, rename)
      await renameSegmentInRequests(write.tx, write.environment.id, rename)
    },
    onFlagDeleted: ({ environment, tx }: EnvironmentWrite, key: string) =>
      removePendingChanges(tx, environment.id, key),
    onScheduled: () => scheduled.runSoon(),
  }
  const scheduled = createScheduledChangesRun({
    clock,
    log,
    listDue: (selection) => listDueChanges(db, selection),
    execute: (change) => executeScheduledChange({ ...flagWrites, isPassing }, change),
  })
  return { flagWrites, scheduled }
}

const isPassing = (error: unknown): boolean => toRefusal(error)?.kind === 'unavailable'

/** Returns rules that name segments in pending change requests and scheduled changes. */
async function listWaitingRules({ environment, tx }: EnvironmentWrite): Promise<WaitingRules[]> {
  const asked = await listPendingBodies(tx, environment.id)
  const scheduled = await listPendingPatches(tx, environment.id)
  const waiting = [
    ...asked.map(({ body, flag_key }) => ({ flag_key, operation: body })),
    ...scheduled.map(({ flag_key, patch }) => ({ flag_key, operation: { operation: 'patch', patch } })),
  ]
  const read = waiting.map(async ({ flag_key, operation }) => ({
    flag_key,
    rules: await readWaitingRules(operation),
  }))
  return Promise.all(read)
}
