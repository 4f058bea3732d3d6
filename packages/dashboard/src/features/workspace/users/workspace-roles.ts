import type { User } from '@burgee/contract'

export type WorkspaceRole = User['role']

interface RoleWords {
  readonly value: WorkspaceRole
  readonly label: string
}

/** Only that of an admin reaches into projects by itself. */
export const WORKSPACE_ROLES: readonly RoleWords[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
  { value: 'admin', label: 'Admin' },
]

/** The value of a control, as a role. */
export const toWorkspaceRole = (text: string | null): WorkspaceRole =>
  WORKSPACE_ROLES.find(({ value }) => value === text)?.value ?? 'viewer'
