import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { createCoalescedRun } from '../../platform/concurrency/coalesced-run.ts'
import { withTimeout } from '../../platform/concurrency/with-timeout.ts'
import type { Log } from '../../platform/log/log.ts'
import { findLoginGroups, lockMappingsForShare } from './mapping-queries.ts'
import { grantPerson } from './person-rights.ts'
import {
  claimPerson,
  findWaitingPeople,
  findWaitingPerson,
  removeWaitingPerson,
  type WaitingPerson,
} from './waiting-queries.ts'

/**
 * The worker that gives people the roles of their groups after a change of the table of groups or of the
 * groups that SCIM manages. Each person has a transaction of their own.
 */
export interface GroupChanges {
  /** Resolves when everyone has the changes so far, or after 20 seconds while the rest goes on. */
  apply(): Promise<void>
  /** Applies what waits, without waiting for it. */
  wake(): void
  close(): Promise<void>
}

interface GroupChangesDeps extends WorkspaceWriteDeps {
  readonly log: Log
}

const PEOPLE_AT_ONCE = 100
const WAIT_MS = 20_000
/** The time until people are tried again who could not be given their roles. It doubles up to the longest. */
const RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000

/**
 * Creates the worker. It runs only when it is woken: by a write of its own instance, and by the poll of the
 * changefeed, which reads the revision of groups, so that an instance that stops leaves the rest to the
 * others.
 */
export function createGroupChanges(deps: GroupChangesDeps): GroupChanges {
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  let retryMs = RETRY_MS
  const run = createCoalescedRun({
    async run() {
      if (await applyAll(deps, () => isClosed)) retryMs = RETRY_MS
      else retryLater()
    },
    onError(err) {
      deps.log.warn({ err }, 'the roles of groups could not be given to everyone yet')
      retryLater()
    },
    onRequestedMeanwhile: wake,
  })

  function wake(): void {
    if (!isClosed) run.request()
  }

  function retryLater(): void {
    clearTimeout(retry)
    if (isClosed) return
    retry = setTimeout(wake, retryMs).unref()
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
  }

  /** The run at the time of the call may have read the list before the change. */
  async function settle(): Promise<void> {
    await run.idle()
    wake()
    await run.idle()
  }

  return {
    async apply() {
      await withTimeout(settle(), WAIT_MS)
    },
    wake,
    async close() {
      isClosed = true
      clearTimeout(retry)
      await run.idle()
    },
  }
}

/**
 * Gives everyone who waits their roles, first those with whom no other instance is busy. Returns false when a
 * person could not be given them.
 */
async function applyAll(deps: GroupChangesDeps, isClosed: () => boolean): Promise<boolean> {
  const busy: WaitingPerson[] = []
  let isComplete = true
  // The others do not wait for a person who fails, and whose turn comes again.
  const failed = (err: unknown, { user_id }: WaitingPerson) => {
    isComplete = false
    deps.log.warn({ err, user_id }, 'the roles of the groups of a person could not be given')
  }
  for (let after = 0; !isClosed(); ) {
    const waiting = await findWaitingPeople(deps.db, { after, limit: PEOPLE_AT_ONCE })
    for (const person of waiting) {
      if (isClosed()) return true
      after = person.user_id
      const isApplied = await applyTo(deps, person, { waits: busy.length >= PEOPLE_AT_ONCE }).catch((err) => {
        failed(err, person)
        return true
      })
      if (!isApplied) busy.push(person)
    }
    if (waiting.length < PEOPLE_AT_ONCE) break
  }
  for (const person of busy) {
    if (isClosed()) return true
    await applyTo(deps, person, { waits: true }).catch((err) => failed(err, person))
  }
  return isComplete
}

const LOGIN_MEANWHILE = 'the person has just signed in with other groups'
const NOTHING = { audit: [], changesAccess: false } as const

/** Returns false when another instance is giving this person their roles. */
async function applyTo(
  deps: GroupChangesDeps,
  { requested_by, user_id }: WaitingPerson,
  { waits }: { readonly waits: boolean },
): Promise<boolean> {
  return writeWorkspace(deps, { kind: 'past', name: requested_by }, async ({ now, tx }) => {
    // Before every other lock, so that changes of the table and people who sign in wait in one order.
    await lockMappingsForShare(tx)
    if (!(await claimPerson(tx, user_id, { waits }))) return { ...NOTHING, result: false }
    const waiting = await findWaitingPerson(tx, user_id)
    if (!waiting) return { ...NOTHING, result: true }
    const groups = await findLoginGroups(tx, user_id)
    const granted = await grantPerson(tx, { id: user_id, groups }, now)
    // The account is locked now, and a login stores its groups after it has locked the account.
    const current = await findLoginGroups(tx, user_id)
    if (current.join('\n') !== groups.join('\n')) throw new Error(LOGIN_MEANWHILE)
    // After the account, in the order in which a change of its groups locks them.
    await removeWaitingPerson(tx, waiting)
    const audit = granted?.audit ?? []
    return { result: true, audit, changesAccess: audit.length > 0 }
  })
}
