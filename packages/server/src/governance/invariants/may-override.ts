import { isAllowed } from '@burgee/contract'
import type { EnvironmentWrite } from '../../changes/index.ts'
import { isGuarded } from '../../kernel/approval.ts'
import { toMembership } from '../../structure/roles/index.ts'
import { findMembership } from './queries.ts'

/**
 * Returns whether the author may override invariants: who may change them, and where every change needs
 * approval only an admin of the workspace. SDK keys may not.
 */
export async function mayOverride({ author, environment, tx }: EnvironmentWrite): Promise<boolean> {
  if (author.kind !== 'user') return false
  if (author.role === 'admin') return true
  if (isGuarded(environment)) return false
  const membership = await findMembership(tx, environment.project_id, author.user_id)
  const permissions = membership ? toMembership(membership).inProject.permissions : null
  return isAllowed('write_project', { workspaceRole: author.role, permissions })
}
