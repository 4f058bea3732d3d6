import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'

/** Returns a function that names a member of the project; `user 7` for a person who is none. */
export function useMemberNames(): (user_id: number) => string {
  const { project_id } = useScope()
  const { data } = useQuery(endpointQuery('listMembers', { params: { project_id } }))
  return (user_id) => data?.find((member) => member.user_id === user_id)?.name ?? `user ${user_id}`
}
