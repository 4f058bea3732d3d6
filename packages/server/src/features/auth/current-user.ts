import type { CurrentUser } from '@burgee/contract'
import type { WorkspaceState } from './queries.ts'

/**
 * Returns the user as login, set-up and the current-user endpoint show them (docs/reference/access.md#roles).
 */
export function toCurrentUser(
  { email, name, role }: Pick<CurrentUser, 'email' | 'name' | 'role'>,
  { workspace_name, is_setup_complete }: WorkspaceState,
): CurrentUser {
  return { email, name, role, workspace_name, is_setup_complete }
}
