import type { Basics, EnvironmentWrite, WriteDeps } from '../changes/index.ts'
import {
  isNamedByWaiting,
  listRequestedRules,
  openChangeRequest,
  renameRequester,
  renameSegmentInRequests,
} from '../governance/change-requests/index.ts'
import { createImpact, type ImpactParts } from '../governance/impact/index.ts'
import { findViolations, guardWrite } from '../governance/invariants/index.ts'
import {
  createScheduler,
  executeNextChange,
  listDueEnvironments,
  listScheduledChanges,
  listScheduledRules,
  removePendingChanges,
  renamePlanner,
  renameSegmentInPending,
  requestPlannedChanges,
  type Scheduler,
  settleSchedules,
} from '../governance/scheduled-changes/index.ts'
import { statusOf } from '../http/responses/error-reply.ts'
import { toRefusal } from '../http/responses/to-refusal.ts'
import { findTokenName } from '../identity/access-tokens/index.ts'
import type { GivenToIdentity } from '../identity/compose.ts'
import { isMappedRole } from '../identity/group-roles/index.ts'
import { createKeyedQueue, inOwnTurn } from '../platform/concurrency/keyed-queue.ts'
import type { Config } from '../platform/settings/config.ts'
import { reduceSeenUsers } from '../reporting/seen-users/index.ts'
import { type ConnectionCounts, createConnectionCounts, readCounts } from '../serving/connections/index.ts'
import type { GivenToStructure } from '../structure/compose.ts'
import type { EnvironmentRead } from '../targeting/flag-model/index.ts'
import type { FlagWriteDeps } from '../targeting/flag-operations/index.ts'
import type { SegmentRename } from '../targeting/rules/index.ts'
import { createCopySegments } from '../targeting/segments/index.ts'
import type { RecordImpact } from '../targeting/stored-impacts/index.ts'

type FlagWrites = ReturnType<typeof createWrites>

/**
 * Creates what flags are written with, and the other functions that a lower domain declares and a higher one
 * implements. This is the one place for them.
 */
export function createFlagWrites(config: Config, basics: Basics, onEvents: () => void) {
  const { clock, db, newId } = basics
  const impact = createImpact(config, {
    ...basics,
    findViolations: (changed) => findViolations({ clock, db }, changed),
  })
  const deps = {
    db,
    bus: basics.bus,
    clock,
    newId,
    quotaBytes: config.environmentQuotaBytes,
    wireMaxBytes: config.environmentWireBytes,
    queue: createKeyedQueue(),
    onCommitted: basics.changefeed.committed,
    onEvents,
  }
  const writes = createWrites(basics, deps, { impact, onScheduled: () => scheduler.runSoon() })
  const scheduler = createRun(config, basics, writes)
  const counts = createConnectionCounts(basics)
  return {
    writes,
    impact,
    scheduler,
    counts,
    forStructure: giveToStructure(writes, counts),
    forIdentity: giveToIdentity(basics, writes),
  }
}

interface Around {
  readonly impact: ImpactParts
  readonly onScheduled: () => void
}

const createWrites = (
  { log }: Basics,
  deps: WriteDeps & { readonly newId: () => string },
  { impact, onScheduled }: Around,
) => ({
  ...deps,
  log,
  guard: guardWrite,
  listWaitingRules,
  isNamedByWaiting,
  statusOf,
  refusalOf: toRefusal,
  recordImpact: impact.impacts.record,
  impactOf: impact.impactOf,
  openChangeRequest: recordingRequests(impact.impacts.record),
  copySegments: createCopySegments({ ...deps, listWaitingRules }),
  onSegmentRenamed: async (write: EnvironmentWrite, rename: SegmentRename) => {
    await renameSegmentInPending(write.tx, write.environment.id, rename)
    await renameSegmentInRequests(write.tx, write.environment.id, rename)
  },
  onFlagDeleted: ({ environment, tx }: EnvironmentWrite, key: string) =>
    removePendingChanges(tx, environment.id, key),
  onScheduled,
})

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

const listWaitingRules = async (read: EnvironmentRead) => [
  ...(await listRequestedRules(read)),
  ...(await listScheduledRules(read)),
]

/** Creates the run of scheduled changes. It takes the turn of an environment itself, for several changes. */
function createRun(
  { dbMaxConnections }: Config,
  { clock, db, log }: Basics,
  { queue, ...writes }: FlagWrites,
): Scheduler {
  const deps = { ...writes, isTransient, queue: inOwnTurn(queue) }
  return createScheduler({
    clock,
    log,
    connections: dbMaxConnections,
    listDue: (selection) => listDueEnvironments(db, selection),
    inTurn: (environment_id, work) => queue.run(environment_id, work, { isAhead: true }),
    executeNext: (environment_id, options) => executeNextChange(deps, { environment_id, ...options }),
  })
}

const isTransient = (error: unknown): boolean => toRefusal(error)?.kind === 'unavailable'

const giveToStructure = (writes: FlagWrites, counts: ConnectionCounts): GivenToStructure => ({
  ...readCounts(counts),
  isMappedRole,
  onEvents: writes.onEvents,
  onSeenUsersSet: reduceSeenUsers,
  requestPlannedChanges: (write, actor, planned) => requestPlannedChanges(writes, write, actor, planned),
})

const giveToIdentity = (
  { lists }: Basics,
  writes: FlagWrites,
): Pick<GivenToIdentity, 'listSchedules' | 'renameAuthor' | 'settleSchedules'> => ({
  listSchedules: (email, page) => listScheduledChanges(lists, { ...page, pendingOf: email }),
  settleSchedules: (actor, email, wanted) => settleSchedules(writes, actor, { email, wanted }),
  // What was executed or decided keeps the name of its time.
  async renameAuthor(tx, { id, ...names }) {
    await renamePlanner(tx, names)
    await renameRequester(tx, id, names.after)
  },
})
