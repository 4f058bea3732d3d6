import type { ChangeRequest, Flag } from '@burgee/contract'
import { type Actor, actorIdentity, actorName, personBehind } from '../../kernel/actor.ts'
import { conflict } from '../../kernel/refusal.ts'
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
  stored.map(({ identity: _, ...approval }) => approval)

/** Returns whether an approval is of the flag as it is now. Another one does not count. */
const isCurrent = ({ flag_revision }: StoredApproval, flag: Flag | null): boolean =>
  flag_revision === (flag?.revision ?? null)

interface Given {
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
  if (approvals.some((approval) => isMine(approval) && isCurrent(approval, flag))) {
    throw conflict('You have approved this request already. Another person must approve it too.')
  }
  const added: StoredApproval = {
    identity,
    approved_by: actorName(actor),
    comment: actor.comment ?? null,
    flag_revision: flag?.revision ?? null,
    approved_at: now,
  }
  return [...approvals.filter((approval) => !isMine(approval)), added]
}

/** Returns the number of people who have approved the flag at its current revision. */
export const countCurrent = (approvals: readonly StoredApproval[], flag: Flag | null): number =>
  approvals.filter((approval) => isCurrent(approval, flag)).length
