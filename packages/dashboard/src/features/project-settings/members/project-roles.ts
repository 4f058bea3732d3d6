import { type CustomRole, PERMISSIONS } from '@burgee/contract'

interface RoleWords {
  readonly value: string
  readonly label: string
  readonly description: string
}

/** The rights of the built-in roles in a project (docs/reference/access.md#roles), least first. */
const BUILT_IN_ROLES: readonly RoleWords[] = [
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

/** Returns the roles on offer: the built-in ones, and those that the workspace has defined. */
export const rolesOnOffer = (roles: readonly CustomRole[]): readonly RoleWords[] => [
  ...BUILT_IN_ROLES,
  ...roles
    .filter(({ is_built_in }) => !is_built_in)
    .map(({ description, key, name, permissions }) => ({
      value: key,
      label: name,
      description: description || `${permissions.length} of ${PERMISSIONS.length} permissions.`,
    })),
]

/** Returns the options of a select. The present role is among them, also before the roles are known. */
export function roleOptions(roles: readonly CustomRole[], present?: string) {
  const options = rolesOnOffer(roles).map(({ label, value }) => ({ value, label }))
  const isKnown = present === undefined || options.some(({ value }) => value === present)
  return isKnown ? options : [...options, { value: present, label: present }]
}
