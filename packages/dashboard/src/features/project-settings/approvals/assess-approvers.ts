import type { Approvers, CustomRole, Member } from '@burgee/contract'
import { countOf } from '../../../shared/ui/count-of.ts'

/** A person who can be named as an approver. */
export interface Candidate extends Member {
  /** True for a workspace admin, who may review everywhere. */
  readonly isWorkspaceAdmin: boolean
}

export interface ApproverSettings {
  readonly approvers: Approvers
  readonly min_approvals: number
  readonly environment_id: string
}

interface Known {
  readonly candidates: readonly Candidate[]
  readonly roles: readonly CustomRole[]
}

/**
 * Returns what is wrong with a choice of approvers, as sentences: people who may not review, and too few of
 * them. Without a choice, workspace admins who are no members may approve as well.
 */
export function findApproverProblems(
  { approvers, environment_id, min_approvals }: ApproverSettings,
  { candidates, roles }: Known,
): string[] {
  const mayReview = (person: Candidate) =>
    person.isWorkspaceAdmin || permits(roles, roleIn(person, environment_id), 'review_changes')
  const chosen = candidates.filter((person) => isChosen(person, { approvers, environment_id }))
  const able = chosen.filter(mayReview).length
  return [
    ...chosen.filter((person) => isNamed(person, approvers) && !mayReview(person)).map(describeUnable),
    ...approvers.flatMap((one) => ('role' in one ? describeRole(roles, one.role) : [])),
    ...describeNumber(able, min_approvals, approvers.length > 0),
  ]
}

const roleIn = ({ environment_roles = [], role }: Member, environment_id: string): string =>
  environment_roles.find((other) => other.environment_id === environment_id)?.role ?? role

const permits = (roles: readonly CustomRole[], role: string, permission: 'review_changes'): boolean =>
  roles.find(({ key }) => key === role)?.permissions.includes(permission) ?? false

const isNamed = ({ user_id }: Candidate, approvers: Approvers): boolean =>
  approvers.some((one) => 'user_id' in one && one.user_id === user_id)

const isChosen = (
  person: Candidate,
  { approvers, environment_id }: Pick<ApproverSettings, 'approvers' | 'environment_id'>,
): boolean =>
  approvers.length === 0 ||
  isNamed(person, approvers) ||
  approvers.some((one) => 'role' in one && one.role === roleIn(person, environment_id))

const describeUnable = ({ name }: Candidate): string =>
  `${name} may not review changes here, and so cannot approve.`

function describeRole(roles: readonly CustomRole[], key: string): string[] {
  const role = roles.find((other) => other.key === key)
  if (!role || permits(roles, key, 'review_changes')) return []
  return [`The role ${role.name} does not include reviewing, so members with it cannot approve.`]
}

function describeNumber(able: number, needed: number, isLimited: boolean): string[] {
  const people = isLimited
    ? countPeople(able)
    : `Apart from workspace admins, ${countPeople(able).toLowerCase()}`
  if (able < needed) {
    return [`${people} can approve here, and ${needed} must. Changes wait until there are more.`]
  }
  if (able === needed) {
    return [
      `${people} can approve here, and ${needed} must. What one of them requests waits for someone else, because requesters never approve their own changes.`,
    ]
  }
  return []
}

const countPeople = (count: number): string =>
  count === 0 ? 'No one' : `Only ${countOf(count, 'person', 'people')}`
