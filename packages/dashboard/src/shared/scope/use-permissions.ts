import routes from 'virtual:contract-endpoints'
import { type Access, isAllowed, USER_ACCESS } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { endpointQuery } from '../api/queries.ts'
import type { EndpointName } from '../api/types.ts'

/**
 * The signed-in person's permission to call an endpoint here. The reason for a missing one is shown on the
 * disabled control.
 */
export interface Permission {
  readonly isAllowed: boolean
  /** Absent where it is allowed. */
  readonly reason?: string
}

/** Checks endpoints against the contract's own table, for the project of the address or the given one. */
export function usePermissions(ofProject?: string): (name: EndpointName) => Permission {
  const { project_id: addressed = '' } = useParams({ strict: false })
  const project_id = ofProject ?? addressed
  const me = useQuery(endpointQuery('getCurrentUser', {}))
  const members = useQuery({
    ...endpointQuery('listMembers', { params: { project_id } }),
    enabled: project_id !== '',
  })
  const workspaceRole = me.data?.role ?? ''
  const email = me.data?.email.toLowerCase()
  const projectRole = members.data?.find((member) => member.email.toLowerCase() === email)?.role ?? null
  return (name) => {
    const { access } = routes[name]
    if (isAllowed(access, { workspaceRole, projectRole })) return { isAllowed: true }
    const unread = [me, members].find(({ data, isEnabled }) => isEnabled && data === undefined)
    if (unread) return { isAllowed: false, reason: unread.isError ? UNREADABLE : UNREAD }
    return { isAllowed: false, reason: reasonFor(access, projectRole) }
  }
}

// A missing membership is not reported before the members are known.
const UNREAD = 'Your role is being read.'
const UNREADABLE = 'Your role could not be read. Reload the page to try again.'

function reasonFor(access: Access, projectRole: string | null): string {
  const needed = USER_ACCESS[access]
  if (needed === 'workspace_admin') return 'Only a workspace admin can do this.'
  const you =
    projectRole === null
      ? 'you are no member of it'
      : `you are ${projectRole === 'viewer' ? 'a' : 'an'} ${projectRole}`
  return needed === 'admin'
    ? `This needs the role admin in the project; ${you}.`
    : `This needs the role editor or admin in the project; ${you}.`
}
