import { ACCESS, type Access, isAllowed } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { assertNever } from '../../kernel/assert-never.ts'
import { grantIn, type ProjectScope } from '../../kernel/scope.ts'

/** Accesses without an actor: public ones, and those with one fixed token. */
const TOKEN_ACCESSES = ['public', 'setup_token', 'metrics_token'] as const
export type TokenAccess = (typeof TOKEN_ACCESSES)[number]
export type ActorAccess = Exclude<Access, TokenAccess>

export const isTokenAccess = (access: Access): access is TokenAccess =>
  TOKEN_ACCESSES.some((known) => known === access)

/**
 * Returns whether the actor has the access in the scope, which is null when the path names no project or
 * environment (docs/reference/access.md#roles).
 */
export function hasAccess(access: ActorAccess, actor: Actor, scope: ProjectScope | null): boolean {
  if (actor.kind === 'sdk_key') return keyHasAccess(access, actor, scope)
  // The handler responds with 400 to a session, instead of 403 (docs/reference/api.md#statuses).
  if (access === 'read_snapshot') return true
  const membership = scope?.membership ?? null
  const permissions = membership && grantIn(membership, scope?.environment?.id).permissions
  return isAllowed(access, { workspaceRole: actor.role, permissions })
}

/** Returns whether only `keys_may_manage` prevents the key from the access. */
export const isKeptFromManaging = (access: ActorAccess, actor: Actor, scope: ProjectScope | null): boolean =>
  actor.kind === 'sdk_key' && !actor.mayManage && hasAccess(access, { ...actor, mayManage: true }, scope)

function keyHasAccess(
  access: ActorAccess,
  { environment_id, key_kind, mayManage, project_id }: Extract<Actor, { kind: 'sdk_key' }>,
  scope: ProjectScope | null,
): boolean {
  const reach = ACCESS[access].keys
  const isServer = key_kind === 'server'
  const isInProject = project_id === scope?.project_id
  const isInEnvironment = environment_id === scope?.environment?.id
  switch (reach) {
    case 'none':
      return false
    case 'any':
      return true
    case 'any_of_environment':
      return isInEnvironment
    // A key for browsers has the rights of SDKs, and no others.
    case 'server':
      return isServer
    case 'server_of_project':
      return isServer && isInProject
    case 'server_of_environment':
      return isServer && isInEnvironment
    case 'managing_of_project':
      return isServer && mayManage && isInProject
    case 'managing_of_environment':
      return isServer && mayManage && isInEnvironment
    default:
      return assertNever(reach)
  }
}
