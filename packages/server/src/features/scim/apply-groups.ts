import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { createCoalescedRun } from '../../platform/coalesced-run.ts'
import type { Log } from '../../platform/log.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import { grantPerson } from '../single-sign-on/index.ts'
import { findWaiting, markApplied } from './group-rights-queries.ts'
import { SCIM_ACTOR } from './scim-context.ts'

/** The worker that gives people the roles of their groups, one person in a transaction. */
export interface GroupRoles {
  /** Resolves when everyone has their roles, or after 20 seconds while the rest goes on. */
  apply(): Promise<void>
  close(): Promise<void>
}

interface GroupRolesDeps extends WorkspaceWriteDeps {
  readonly log: Log
}

const PEOPLE_AT_ONCE = 100
const WAIT_MS = 20_000
/** The interval for finding people whom a stopped instance has left without their roles. */
const POLL_MS = 5_000

export function createGroupRoles(deps: GroupRolesDeps): GroupRoles {
  let isClosed = false
  const run = createCoalescedRun({
    run: () => applyAll(deps, () => isClosed),
    onError: (err) => deps.log.warn({ err }, 'the roles of groups could not be given to everyone yet'),
    onRequestedMeanwhile: () => {
      if (!isClosed) run.request()
    },
  })
  const timer = setInterval(() => run.request(), POLL_MS)
  timer.unref()

  /** The run at the time of the request may have read the list before the change. */
  async function settle(): Promise<void> {
    run.request()
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

async function applyAll(deps: GroupRolesDeps, isClosed: () => boolean): Promise<void> {
  let after = 0
  while (!isClosed()) {
    const waiting = await findWaiting(deps.db, { after, limit: PEOPLE_AT_ONCE })
    for (const person of waiting) {
      if (isClosed()) return
      after = person.user_id
      try {
        await applyTo(deps, person)
      } catch (err) {
        // The others do not wait for this person, whose turn comes again.
        deps.log.warn(
          { err, user_id: person.user_id },
          'the roles of the groups of a person could not be given',
        )
      }
    }
    if (waiting.length < PEOPLE_AT_ONCE) return
  }
}

/** A change that is stored meanwhile has a later version, so that its turn comes again. */
async function applyTo(
  deps: GroupRolesDeps,
  person: { readonly user_id: number; readonly groups_version: number },
): Promise<void> {
  await writeWorkspace(deps, { kind: 'past', name: SCIM_ACTOR }, async ({ now, tx }) => {
    const granted = await grantPerson(tx, { id: person.user_id, groups: [] }, now)
    await markApplied(tx, person)
    const audit = granted?.audit ?? []
    return { result: undefined, audit, changesAccess: audit.length > 0 }
  })
}
