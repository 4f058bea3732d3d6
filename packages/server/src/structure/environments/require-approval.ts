import type { ApprovalInput, ApprovalOutcome, Environment } from '@burgee/contract'
import { deepEqual } from '@burgee/evaluation'
import { type WorkspaceWrite, type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { type Actor, isWorkspaceAdmin } from '../../kernel/actor.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { forbidden, invalid, notFound } from '../../kernel/refusal.ts'
import { environmentAudit } from './environment-audit.ts'
import { type EnvironmentPlace, lockEnvironmentOf, updateEnvironmentRow } from './queries.ts'
import { requireApprovers } from './require-approvers.ts'
import { SET_BY_PEOPLE } from './update-environment.ts'

export interface ApprovalDeps extends WorkspaceWriteDeps {
  /** Makes change requests of scheduled changes that were never approved, or only counts them. */
  readonly requestPlannedChanges: (
    write: WorkspaceWrite,
    actor: Actor,
    planned: { readonly environment_id: string; readonly wanted: 'keep' | 'request' },
  ) => Promise<{ readonly requested: readonly number[]; readonly unapproved: number }>
  /** Announces that there are events to deliver. */
  readonly onEvents: () => void
}

/**
 * Sets whether changes need approval. Without a scope, enabling starts with `patch`, and an enabled setting
 * keeps its scope. When every change comes to need approval, keys may not manage the environment any more
 * unless the call requests otherwise. Scheduled changes that were never approved become change requests on
 * request. Refuses with `forbidden` when a caller other than a workspace admin would
 * remove full approval, or when a key would set what keys may do.
 */
export async function requireApproval(
  deps: ApprovalDeps,
  actor: Actor,
  { input, place }: { readonly place: EnvironmentPlace; readonly input: ApprovalInput },
): Promise<ApprovalOutcome> {
  const done = await writeWorkspace(deps, actor, async (write) => {
    const { tx } = write
    const before = await lockEnvironmentOf(tx, place)
    if (!before) throw notFound('environment')
    const { require_approval } = input
    const approval_scope = input.approval_scope ?? (before.require_approval ? before.approval_scope : 'patch')
    const wanted = input.planned_changes ?? 'keep'
    const becomesGuarded = isGuarded({ require_approval, approval_scope }) && !isGuarded(before)
    const unsaid = becomesGuarded ? false : before.keys_may_manage
    const keys_may_manage = input.keys_may_manage ?? unsaid
    if (keys_may_manage !== unsaid && actor.kind === 'sdk_key') throw forbidden(SET_BY_PEOPLE)
    const { approvers = before.approvers, min_approvals = before.min_approvals } = input
    const set = { require_approval, approval_scope, min_approvals, approvers, keys_may_manage }
    if (isGuarded(before) && isWeaker(set, before) && !isWorkspaceAdmin(actor)) {
      throw forbidden('Every change needs approval here. Only a workspace admin may end that or weaken it.')
    }
    // Rights come first: what the input lacks is not for those who may not change it.
    if (wanted === 'request' && !isGuarded(set)) throw invalid([NOT_GUARDED])
    await requireApprovers(tx, { ...place, before }, { approvers, min_approvals })
    const after = await updateEnvironmentRow(tx, before.id, set)
    const planned = await deps.requestPlannedChanges(write, actor, { environment_id: before.id, wanted })
    return {
      result: {
        ...after,
        ...(require_approval && { planned: { ...planned, requested: [...planned.requested] } }),
      },
      audit: environmentAudit({ project_id: place.project_id, action: 'update', before, after }),
      changesAccess: keys_may_manage !== before.keys_may_manage,
    }
  })
  if (wantsEvents(done)) deps.onEvents()
  return done
}

const wantsEvents = ({ planned }: ApprovalOutcome): boolean =>
  planned !== undefined && planned.requested.length > 0

const NOT_GUARDED = {
  path: '/planned_changes',
  message: 'can be "request" only with require_approval true and approval_scope "all"',
}

type Settings = Pick<Environment, 'require_approval' | 'approval_scope' | 'min_approvals' | 'approvers'>

/** Returns whether fewer people decide, other people do, or some changes need no approval any more. */
const isWeaker = (after: Settings, before: Settings): boolean =>
  !isGuarded(after) ||
  after.min_approvals < before.min_approvals ||
  !deepEqual(after.approvers, before.approvers)
