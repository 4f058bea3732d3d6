import { routes } from 'virtual:contract-endpoints'
import type { EndpointName } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { endpointQuery } from '../api/queries.ts'
import { assessAccess, isBuiltIn, type Permission } from './assess-access.ts'

export type { Permission } from './assess-access.ts'

/**
 * Checks endpoints against the contract's own table, for the project and environment of the address or those
 * given. An endpoint of the project needs the permission in a given environment too.
 */
export function usePermissions(
  ofProject?: string,
  ofEnvironment?: string,
): (name: EndpointName) => Permission {
  const { environment_id: opened = '' } = useParams({ strict: false })
  const mayIn = usePermissionsIn(ofProject)
  return (name) => {
    const inEnvironment = routes[name].path.includes('/:env_id') ? (ofEnvironment ?? opened) : ofEnvironment
    return mayIn(name, inEnvironment)
  }
}

/** Checks endpoints for any environment of the project of the address, or of the one given. */
export function usePermissionsIn(
  ofProject?: string,
): (name: EndpointName, environment_id: string | undefined) => Permission {
  const { project_id: addressed = '' } = useParams({ strict: false })
  const project_id = ofProject ?? addressed
  const me = useQuery(endpointQuery('getCurrentUser', {}))
  const own = useQuery({
    ...endpointQuery('getOwnAccess', { params: { project_id } }),
    enabled: project_id !== '',
  })
  const nameOf = useRoleNames(rolesOf(own.data).some((role) => !isBuiltIn(role)))
  return (name, environment_id) => {
    const { access, path } = routes[name]
    const places = path.includes('/:env_id') ? [] : [null]
    const permission = assessAccess(
      access,
      environment_id === undefined ? places : [...places, environment_id],
      { project_id, workspaceRole: me.data?.role ?? '', own: own.data, nameOf },
    )
    const unread = [me, own].find(({ data, isEnabled }) => isEnabled && data === undefined)
    if (permission.isAllowed || !unread) return permission
    return { isAllowed: false, reason: unread.isError ? UNREADABLE : UNREAD }
  }
}

// A missing membership is not reported before the rights are known.
const UNREAD = 'Your role is being read.'
const UNREADABLE = 'Your role could not be read. Reload the page to try again.'

const rolesOf = (own: { role: string | null; environments: readonly { role: string }[] } | undefined) =>
  own ? [own.role, ...own.environments.map(({ role }) => role)].filter((role) => role !== null) : []

/** The names of custom roles. They are read only for a person who has one. */
function useRoleNames(isNeeded: boolean): (role: string) => string {
  const { data } = useQuery({ ...endpointQuery('listRoles', {}), enabled: isNeeded })
  return (role) => data?.find(({ key }) => key === role)?.name ?? role
}
