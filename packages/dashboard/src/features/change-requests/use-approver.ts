import type { Approvers } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useMe } from '../../shared/scope/use-me.ts'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'

const ALLOWED: Permission = { isAllowed: true }
const NO_APPROVERS: Approvers = []

/**
 * Returns whether the signed-in person is one of the approvers of the open environment. A person who is no
 * member of the project is let through here, and the server decides.
 */
export function useApproverPermission(): Permission {
  const { environment, project_id } = useScope()
  const me = useMe()
  const { approvers = NO_APPROVERS, id } = environment ?? {}
  const { data } = useQuery({
    ...endpointQuery('listMembers', { params: { project_id } }),
    enabled: approvers.length > 0,
  })
  const member = data?.find(({ email }) => email.toLowerCase() === me?.email.toLowerCase())
  if (approvers.length === 0 || !member) return ALLOWED
  const { environment_roles = [], user_id } = member
  const role = environment_roles.find(({ environment_id }) => environment_id === id)?.role ?? member.role
  const isNamed = approvers.some((one) => ('role' in one ? one.role === role : one.user_id === user_id))
  return isNamed ? ALLOWED : { isAllowed: false, reason: NOT_NAMED }
}

const NOT_NAMED = 'Only the approvers of this environment can approve. Its settings list them.'
