import routes from 'virtual:contract-endpoints'
import {
  ACCESS,
  type Access,
  isAllowed,
  type OwnAccess,
  PERMISSION_WORDS,
  type Permission as RolePermission,
} from '@burgee/contract'
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

/**
 * Checks endpoints against the contract's own table, for the project and environment of the address or those
 * given.
 */
export function usePermissions(
  ofProject?: string,
  ofEnvironment?: string,
): (name: EndpointName) => Permission {
  const { project_id: addressed = '', environment_id: opened = '' } = useParams({ strict: false })
  const project_id = ofProject ?? addressed
  const environment_id = ofEnvironment ?? opened
  const me = useQuery(endpointQuery('getCurrentUser', {}))
  const own = useQuery({
    ...endpointQuery('getOwnAccess', { params: { project_id } }),
    enabled: project_id !== '',
  })
  const workspaceRole = me.data?.role ?? ''
  return (name) => {
    const { access, path } = routes[name]
    const grant = own.data && grantOf(own.data, path.includes('/:env_id') ? environment_id : '')
    const permissions = grant ? new Set(grant.permissions) : null
    if (isAllowed(access, { workspaceRole, permissions })) return { isAllowed: true }
    const unread = [me, own].find(({ data, isEnabled }) => isEnabled && data === undefined)
    if (unread) return { isAllowed: false, reason: unread.isError ? UNREADABLE : UNREAD }
    return { isAllowed: false, reason: reasonFor(access, grant ?? NO_GRANT) }
  }
}

// A missing membership is not reported before the rights are known.
const UNREAD = 'Your role is being read.'
const UNREADABLE = 'Your role could not be read. Reload the page to try again.'

interface Grant {
  /** Null for a person who is not a member. */
  readonly role: string | null
  readonly permissions: readonly RolePermission[]
  /** True when the role applies in the environment only. */
  readonly isOverride: boolean
}

const NO_GRANT: Grant = { role: null, permissions: [], isOverride: false }

function grantOf({ environments, permissions, role }: OwnAccess, environment_id: string): Grant {
  const override = environments.find((other) => other.environment_id === environment_id)
  return override ? { ...override, isOverride: true } : { role, permissions, isOverride: false }
}

function reasonFor(access: Access, { isOverride, role }: Grant): string {
  const needed = ACCESS[access].user
  if (needed === 'workspace_admin') return 'Only a workspace admin can do this.'
  const where = isOverride ? 'environment' : 'project'
  if (role === null) return `This needs ${ROLES_WITH[needed]} in the project; you are no member of it.`
  if (!BUILT_IN.includes(role)) {
    const what = Object.entries(PERMISSION_WORDS).find(([name]) => name === access)?.[1]
    return `Your role ${role} in the ${where} does not include “${what}”. An admin of the project can give it to you.`
  }
  return `This needs ${ROLES_WITH[needed]} in the ${where}; you are ${role === 'viewer' ? 'a' : 'an'} ${role}.`
}

const BUILT_IN: readonly string[] = ['viewer', 'editor', 'admin']

const ROLES_WITH = {
  any: 'an account',
  none: 'an SDK key',
  viewer: 'the role viewer or above',
  editor: 'the role editor or admin',
  admin: 'the role admin',
} as const
