import { type Flag, PLANNED_CHANGES_MAX } from '@burgee/contract'
import { type WorkspaceWrite, type WriteDeps, writeWithin } from '../../changes/index.ts'
import { type Actor, personBehind } from '../../kernel/actor.ts'
import { Refusal } from '../../kernel/refusal.ts'
import {
  applyOperation,
  type OperationMoment,
  readStoredOperation,
} from '../../targeting/flag-model/index.ts'
import type { FlagWriteDeps, ProposedChange } from '../../targeting/flag-operations/index.ts'
import { findFlag } from '../../targeting/flags/index.ts'
import { countUnapproved, findPlanner, lockUnapproved, removeScheduledChange } from './queries.ts'

type RequestDeps = Pick<FlagWriteDeps, 'openChangeRequest'> & Pick<WriteDeps, 'quotaBytes' | 'wireMaxBytes'>
type Planned = Awaited<ReturnType<typeof lockUnapproved>>[number]

interface PlannedInput {
  readonly environment_id: string
  readonly wanted: 'keep' | 'request'
}

/** The scheduled changes without an approval, and the change requests that were opened for them. */
interface PlannedChanges {
  readonly requested: readonly number[]
  readonly unapproved: number
}

/**
 * Makes change requests of the pending changes that were never approved, the earliest first, or only counts
 * them. The author of a change is its requester. One that does not fit its flag any more stays.
 */
export async function requestPlannedChanges(
  deps: RequestDeps,
  write: WorkspaceWrite,
  actor: Actor,
  { environment_id, wanted }: PlannedInput,
): Promise<PlannedChanges> {
  const requested: number[] = []
  if (wanted === 'request') {
    for (const change of await lockUnapproved(write.tx, environment_id, PLANNED_CHANGES_MAX)) {
      // The caller did not send them: each has the budget of a request of its own.
      const id = await requestPlanned(deps, { ...write, budget: write.budget.renew() }, actor, change)
      if (id !== null) requested.push(id)
    }
  }
  return { requested, unapproved: await countUnapproved(write.tx, environment_id) }
}

/** Returns the id of the request; null where the change does not fit its flag. */
async function requestPlanned(
  deps: RequestDeps,
  write: WorkspaceWrite,
  actor: Actor,
  { comment, environment_id, flag_key, id, patch, scheduled_at, scheduled_by }: Planned,
): Promise<number | null> {
  const before = await findFlag(write.tx, environment_id, flag_key)
  const effect = before && (await findEffect(before, patch, write))
  if (!before || !effect) return null
  const planner = await findPlanner(write.tx, environment_id, scheduled_by)
  const requester = {
    name: scheduled_by,
    comment,
    identity: planner?.identity ?? `past:${scheduled_by}`,
    // The change of an unknown author counts as one of the actor, who then cannot approve it.
    user_id: planner ? planner.user_id : personBehind(actor, { isGuarded: true }),
  }
  const proposed = { before, ...effect, scheduled_at, requester }
  const place = { author: actor, environment_id }
  const request = await writeWithin(deps, write, place, async (within) => {
    const outcome = await deps.openChangeRequest(within, actor, proposed)
    const metadata = { ...outcome.audit.metadata, scheduled_change_id: id }
    return { ...outcome, changes: [], audit: { ...outcome.audit, metadata } }
  })
  await removeScheduledChange(write.tx, id)
  return request.id
}

type Effect = Pick<ProposedChange, 'operation' | 'after'>

/** Returns the patch as an operation, and the flag after it; null where it does not fit the flag. */
async function findEffect(
  before: Flag,
  patch: Planned['patch'],
  moment: OperationMoment,
): Promise<Effect | null> {
  try {
    const operation = await readStoredOperation({ operation: 'patch', patch })
    const { after } = await applyOperation(before, operation, moment)
    return { operation, after }
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    return null
  }
}
