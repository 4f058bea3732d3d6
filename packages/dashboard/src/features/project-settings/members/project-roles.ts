import type { Member } from '@burgee/contract'

export type ProjectRole = Member['role']

interface RoleWords {
  readonly value: ProjectRole
  readonly label: string
  readonly description: string
}

/** The rights of each role in a project (docs/reference/access.md#roles), least first. */
export const PROJECT_ROLES: readonly RoleWords[] = [
  {
    value: 'viewer',
    label: 'Viewer',
    description: 'Sees everything but webhooks and Slack & Teams alerts. Changes nothing.',
  },
  {
    value: 'editor',
    label: 'Editor',
    description: 'Also changes flags, segments, experiments and schedules, and reviews change requests.',
  },
  {
    value: 'admin',
    label: 'Admin',
    description: 'Also manages environments, SDK keys, members, webhooks and Slack & Teams alerts.',
  },
]

/** The value of a select, as a role. */
export const toProjectRole = (text: string | null): ProjectRole =>
  PROJECT_ROLES.find(({ value }) => value === text)?.value ?? 'viewer'
