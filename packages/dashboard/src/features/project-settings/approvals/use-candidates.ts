import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { useMe } from '../../../shared/scope/use-me.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import type { Candidate } from './assess-approvers.ts'

/**
 * Returns the people who can be approvers: the members of the project, and for workspace admins also the
 * other workspace admins. Undefined until they are known.
 */
export function useCandidates(): readonly Candidate[] | undefined {
  const { project_id } = useScope()
  const isAdmin = useMe()?.role === 'admin'
  const members = useQuery(endpointQuery('listMembers', { params: { project_id } })).data
  const users = useQuery({ ...endpointQuery('listUsers', {}), enabled: isAdmin }).data
  if (!members || (isAdmin && !users)) return undefined
  const enabled = (users ?? []).filter(({ disabled_at }) => disabled_at === null)
  const admins = enabled.filter(({ role }) => role === 'admin')
  const isWorkspaceAdmin = (user_id: number) => admins.some(({ id }) => id === user_id)
  const others = admins.filter(({ id }) => !members.some(({ user_id }) => user_id === id))
  return [
    ...members.map((member) => ({ ...member, isWorkspaceAdmin: isWorkspaceAdmin(member.user_id) })),
    ...others.map(({ email, id, name }) => ({
      ...{ user_id: id, name, email },
      // The role of a person who is no member matches no role of a list.
      role: '',
      isWorkspaceAdmin: true,
    })),
  ]
}
