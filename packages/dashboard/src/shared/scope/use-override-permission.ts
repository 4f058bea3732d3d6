import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { endpointQuery } from '../api/queries.ts'
import { assessOverride } from './assess-override.ts'
import { useMe } from './use-me.ts'
import { type Permission, usePermissions } from './use-permissions.ts'

/**
 * Assesses the override of invariants in environments of the project of the address, or of the one given.
 * It is refused while the settings of these environments are not known.
 */
export function useOverridePermission(ofProject?: string): (environmentIds: readonly string[]) => Permission {
  const { project_id: addressed = '' } = useParams({ strict: false })
  const project_id = ofProject ?? addressed
  const permission = usePermissions(project_id)('updateInvariant')
  const isWorkspaceAdmin = useMe()?.role === 'admin'
  const { data } = useQuery({
    ...endpointQuery('listEnvironments', { params: { project_id } }),
    enabled: project_id !== '',
  })
  return (environmentIds) => {
    if (!permission.isAllowed || isWorkspaceAdmin) return permission
    if (!data) return { isAllowed: false, reason: 'The environments are being read.' }
    const environments = data.filter(({ id }) => environmentIds.includes(id))
    return assessOverride(permission, { environments, isWorkspaceAdmin })
  }
}
