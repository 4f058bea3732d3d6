import type { CurrentUser } from '@burgee/contract'
import type { WorkspaceState } from './queries.ts'

/** What login, set-up and the current-user endpoint tell of a user (docs/reference/access.md#roles). */
export function toCurrentUser(
  { email, name, role }: Pick<CurrentUser, 'email' | 'name' | 'role'>,
  { workspace_name, is_setup_complete }: WorkspaceState,
): CurrentUser {
  return { email, name, role, workspace_name, is_setup_complete }
}
