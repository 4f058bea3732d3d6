import { routes } from 'virtual:contract-endpoints'
import type { QueryClient } from '@tanstack/react-query'
import { endpointQuery } from '../api/queries.ts'
import { assessAccess, type Permission } from './assess-access.ts'
import { assessOverride } from './assess-override.ts'

/**
 * Assesses the override of invariants in environments of a project, as `useOverridePermission` does. It waits
 * for what the page has not read yet, and rejects where that cannot be read.
 */
export async function readOverridePermission(
  client: QueryClient,
  project_id: string,
  environmentIds: readonly string[],
): Promise<Permission> {
  const params = { project_id }
  const [me, own, environments] = await Promise.all([
    client.ensureQueryData(endpointQuery('getCurrentUser', {})),
    client.ensureQueryData(endpointQuery('getOwnAccess', { params })),
    client.ensureQueryData(endpointQuery('listEnvironments', { params })),
  ])
  const permission = assessAccess(routes.updateInvariant.access, [null], {
    ...{ project_id, workspaceRole: me.role, own },
    // The dialog shows no reason, so no name of a role is read.
    nameOf: (role) => role,
  })
  return assessOverride(permission, {
    environments: environments.filter(({ id }) => environmentIds.includes(id)),
    isWorkspaceAdmin: me.role === 'admin',
  })
}
