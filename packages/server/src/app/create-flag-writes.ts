import type { Kysely } from 'kysely'
import type { EnvironmentWrite, WriteDeps } from '../changes/index.ts'
import {
  isNamedByWaiting,
  listRequestedRules,
  openChangeRequest,
  renameSegmentInRequests,
} from '../governance/change-requests/index.ts'
import { guardWrite } from '../governance/invariants/index.ts'
import {
  createScheduler,
  executeNextChange,
  listDueEnvironments,
  listScheduledRules,
  removePendingChanges,
  renameSegmentInPending,
} from '../governance/scheduled-changes/index.ts'
import { statusOf } from '../http/responses/error-reply.ts'
import { toRefusal } from '../http/responses/to-refusal.ts'
import { findTokenName } from '../identity/access-tokens/index.ts'
import type { Clock } from '../platform/clock.ts'
import { createAnalyses } from '../platform/concurrency/analyses.ts'
import { inOwnTurn } from '../platform/concurrency/keyed-queue.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log/log.ts'
import type { Config } from '../platform/settings/config.ts'
import type { EnvironmentRead } from '../targeting/flag-model/index.ts'
import type { FlagWriteDeps } from '../targeting/flag-operations/index.ts'
import type { SegmentRename } from '../targeting/rules/index.ts'
import { createCopySegments } from '../targeting/segments/index.ts'
import type { RecordImpact } from '../targeting/stored-impacts/index.ts'
import { createImpact } from './create-impact.ts'

/**
 * Creates what commands on flags need from other features, and the run of scheduled changes. It is here
 * because features depend on function types that one declares and another implements.
 */
export function createFlagWrites(
  config: Config,
  basics: { readonly db: Kysely<Database>; readonly clock: Clock; readonly log: Log },
  writes: WriteDeps & { readonly newId: () => string },
) {
  const { clock, db, log } = basics
  const analyses = createAnalyses()
  const impact = createImpact(config, { ...basics, analyses })
  const recordImpact = impact.impacts.record
  const flagWrites = {
    ...writes,
    log,
    guard: guardWrite,
    listWaitingRules,
    isNamedByWaiting,
    statusOf,
    refusalOf: toRefusal,
    recordImpact,
    impactOf: impact.impactOf,
    openChangeRequest: recordingRequests(recordImpact),
    copySegments: createCopySegments({ ...writes, listWaitingRules }),
    onSegmentRenamed: async (write: EnvironmentWrite, rename: SegmentRename) => {
      await renameSegmentInPending(write.tx, write.environment.id, rename)
      await renameSegmentInRequests(write.tx, write.environment.id, rename)
    },
    onFlagDeleted: ({ environment, tx }: EnvironmentWrite, key: string) =>
      removePendingChanges(tx, environment.id, key),
    onScheduled: () => scheduler.runSoon(),
  }
  // The scheduler takes the turn of an environment itself, for several changes.
  const executeDeps = { ...flagWrites, isTransient, queue: inOwnTurn(writes.queue) }
  const scheduler = createScheduler({
    clock,
    log,
    connections: config.dbMaxConnections,
    listDue: (selection) => listDueEnvironments(db, selection),
    inTurn: (environment_id, work) => writes.queue.run(environment_id, work, { isAhead: true }),
    executeNext: (environment_id, options) => executeNextChange(executeDeps, { environment_id, ...options }),
  })
  return { analyses, flagWrites, scheduler, ...impact }
}

/** Opens change requests, and has their impact stored after the commit. */
const recordingRequests =
  (recordImpact: RecordImpact): FlagWriteDeps['openChangeRequest'] =>
  async (write, actor, proposed) => {
    const outcome = await openChangeRequest({ findTokenName }, write, actor, proposed)
    const { id } = outcome.result
    const { id: environment_id, project_id } = write.environment
    const recorded = { project_id, environment_id, change: { change_request_id: id } }
    if (proposed.operation.operation !== 'unschedule')
      write.afterCommit(() => recordImpact({ ...recorded, subject: `change_request:${id}` }))
    return outcome
  }

const isTransient = (error: unknown): boolean => toRefusal(error)?.kind === 'unavailable'

const listWaitingRules = async (read: EnvironmentRead) => [
  ...(await listRequestedRules(read)),
  ...(await listScheduledRules(read)),
]
