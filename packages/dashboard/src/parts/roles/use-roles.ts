import type { CustomRole } from '@burgee/contract'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'

/** The roles that members can have, the built-in ones first; empty until they are known. */
export const useRoles = (): readonly CustomRole[] => useQuery(endpointQuery('listRoles', {})).data ?? []

/** Returns the name of a role, or its key while the roles are not known. */
export const roleName = (roles: readonly CustomRole[], role: string): string =>
  roles.find(({ key }) => key === role)?.name ?? role
