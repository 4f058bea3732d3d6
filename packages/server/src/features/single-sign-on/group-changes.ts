import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { createCoalescedRun } from '../../platform/coalesced-run.ts'
import type { Log } from '../../platform/log.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import {
  findLoginGroups,
  findWaitingPeople,
  lockMappingsForShare,
  takeWaitingPerson,
  type WaitingPerson,
} from './mapping-queries.ts'
import { grantPerson } from './person-rights.ts'

/** The worker that applies changes of the table of groups to people, one person in a transaction. */
export interface GroupChanges {
  /** Resolves when everyone has the changes so far, or after 10 seconds while the rest goes on. */
  apply(): Promise<void>
  close(): Promise<void>
}

interface GroupChangesDeps extends WorkspaceWriteDeps {
  readonly log: Log
}

const PEOPLE_AT_ONCE = 100
const WAIT_MS = 10_000
/** The interval for finding people whom a stopped instance has left. */
const POLL_MS = 5_000

/**
 * Creates the worker. Every instance has one: a person is taken by one of them, and one that stops leaves the
 * rest to the others.
 */
export function createGroupChanges(deps: GroupChangesDeps): GroupChanges {
  let isClosed = false
  const run = createCoalescedRun({
    run: () => applyAll(deps, () => isClosed),
    onError: (err) => deps.log.warn({ err }, 'a change of the table of groups was not applied to all yet'),
    onRequestedMeanwhile: () => {
      if (!isClosed) run.request()
    },
  })
  const timer = setInterval(() => run.request(), POLL_MS)
  timer.unref()

  /** The run at the time of the request may have read the list before the change. */
  async function settle(): Promise<void> {
    await run.idle()
    run.request()
    await run.idle()
  }

  return {
    async apply() {
      await withTimeout(settle(), WAIT_MS)
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await run.idle()
    },
  }
}

async function applyAll(deps: GroupChangesDeps, isClosed: () => boolean): Promise<void> {
  for (let after = 0; !isClosed(); ) {
    const waiting = await findWaitingPeople(deps.db, { after, limit: PEOPLE_AT_ONCE })
    for (const person of waiting) {
      if (isClosed()) return
      after = person.user_id
      await applyTo(deps, person).catch((err: unknown) => {
        // The others do not wait for this person, whose turn comes again.
        deps.log.warn({ err, user_id: person.user_id }, 'the roles of a person could not be given')
      })
    }
    if (waiting.length < PEOPLE_AT_ONCE) return
  }
}

const LOGIN_MEANWHILE = 'the person has just signed in with other groups'

async function applyTo(deps: GroupChangesDeps, { requested_by, user_id }: WaitingPerson): Promise<void> {
  await writeWorkspace(deps, { kind: 'past', name: requested_by }, async ({ now, tx }) => {
    // Before every other lock, so that changes of the table and people who sign in wait in one order.
    await lockMappingsForShare(tx)
    const nothing = { result: undefined, audit: [], changesAccess: false }
    if (!(await takeWaitingPerson(tx, user_id))) return nothing
    const groups = await findLoginGroups(tx, user_id)
    const granted = await grantPerson(tx, { id: user_id, groups }, now)
    // The account is locked now, and a login stores its groups after it has locked the account.
    const current = await findLoginGroups(tx, user_id)
    if (current.join('\n') !== groups.join('\n')) throw new Error(LOGIN_MEANWHILE)
    const audit = granted?.audit ?? []
    return { result: undefined, audit, changesAccess: audit.length > 0 }
  })
}
