import { type ChangeRequest, type Flag, isAllowed, type NotCounted } from '@burgee/contract'
import { type Actor, actorIdentity, actorName, personBehind, type UserActor } from '../../kernel/actor.ts'
import { type ApprovalSwitch, type ApproverList, isGuarded, isListed } from '../../kernel/approval.ts'
import { conflict } from '../../kernel/refusal.ts'
import { grantIn, type Membership } from '../../kernel/scope.ts'
import type { StoredApproval } from '../../platform/db/tables.ts'

/**
 * Returns the person who approves, so that a user and their keys count once. A key without a known creator
 * counts for itself.
 */
export function reviewerIdentity(actor: Actor): string {
  const person = personBehind(actor, { isGuarded: true })
  return person === null ? actorIdentity(actor) : `user:${person}`
}

/** Converts approvals for the API, without the identities of the reviewers. */
export const toApprovals = (stored: readonly StoredApproval[]): ChangeRequest['approvals'] =>
  // Approvals of earlier versions have no `not_counted`.
  stored.map(({ identity: _i, key_id: _k, not_counted = null, ...approval }) => ({
    ...approval,
    not_counted,
  }))

/** A reviewer as they are now. */
export interface Reviewer {
  /** The user or key that approved; null when it does not exist any more. */
  readonly credential:
    | {
        readonly kind: 'user'
        readonly user_id: number
        readonly workspaceRole: UserActor['role']
        readonly isDisabled: boolean
        readonly membership: Membership | null
      }
    | { readonly kind: 'sdk_key' }
    | null
  readonly environment_id: string
  readonly settings: ApprovalSwitch & ApproverList
  /** The revision of the flag; null for one that does not exist. */
  readonly flag_revision: number | null
}

/** Returns why an approval does not count now; null when it does. */
export function findNotCounted({ flag_revision }: StoredApproval, reviewer: Reviewer): NotCounted | null {
  const { credential, environment_id, settings } = reviewer
  if (credential === null) return 'reviewer_gone'
  if (flag_revision !== reviewer.flag_revision) return 'flag_changed'
  if (credential.kind === 'sdk_key') {
    if (isGuarded(settings)) return 'no_permission'
    return settings.approvers.length === 0 ? null : 'not_an_approver'
  }
  const { isDisabled, membership, user_id, workspaceRole } = credential
  if (isDisabled) return 'reviewer_disabled'
  const grant = membership && grantIn(membership, environment_id)
  if (!isAllowed('review_changes', { workspaceRole, permissions: grant?.permissions ?? null }))
    return 'no_permission'
  return isListed(settings, { user_id, role: grant?.role ?? null }) ? null : 'not_an_approver'
}

interface Given {
  /** The approvals so far, with why each does not count now. */
  readonly approvals: readonly StoredApproval[]
  /** The current flag; null for one that does not exist yet. */
  readonly flag: Flag | null
  /** The time, ISO 8601 in UTC. */
  readonly now: string
}

/**
 * Adds the approval of an actor; it replaces an earlier one of theirs. Refuses with `conflict` when they have
 * approved the flag at this revision already.
 */
export function addApproval(actor: Actor, { approvals, flag, now }: Given): StoredApproval[] {
  const identity = reviewerIdentity(actor)
  const isMine = (approval: StoredApproval) => approval.identity === identity
  if (approvals.some((approval) => isMine(approval) && approval.not_counted === null)) {
    throw conflict('You have approved this request already. Another person must approve it too.')
  }
  const added: StoredApproval = {
    identity,
    ...(actor.kind === 'sdk_key' && { key_id: actor.key_id }),
    approved_by: actorName(actor),
    comment: actor.comment ?? null,
    flag_revision: flag?.revision ?? null,
    approved_at: now,
    not_counted: null,
  }
  return [...approvals.filter((approval) => !isMine(approval)), added]
}

/** Returns the number of people whose approval counts. */
export const countApprovals = (approvals: readonly StoredApproval[]): number =>
  approvals.filter(({ not_counted }) => not_counted === null).length
