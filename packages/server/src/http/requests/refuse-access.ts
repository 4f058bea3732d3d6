import { ACCESS, PROJECT_ROLES } from '@burgee/contract'
import type { Actor, SdkKeyActor, UserActor } from '../../kernel/actor.ts'
import { forbidden, forbiddenIn, type Refusal } from '../../kernel/refusal.ts'
import { grantIn, type ProjectScope } from '../../kernel/scope.ts'
import type { ActorAccess } from './authorize.ts'

/** Returns the refusal of a caller without the right: it names the permission, and the role of the caller. */
export const refuseAccess = (access: ActorAccess, actor: Actor, scope: ProjectScope | null): Refusal =>
  actor.kind === 'user'
    ? forbidden(describeForUser(access, actor, scope))
    : forbiddenIn({ ...actor, describe: (own) => describeForKey(access, actor, scope, own) })

function describeForUser(access: ActorAccess, { role }: UserActor, scope: ProjectScope | null): string {
  const needed = ACCESS[access].user
  if (needed === 'workspace_admin') {
    return `This needs a workspace admin, and your role in the workspace is ${role}. Ask a workspace admin.`
  }
  if (needed === 'none') return 'This is for SDKs. Send an SDK key as the bearer.'
  const membership = scope?.membership ?? null
  if (membership === null)
    return 'You are not a member of this project. Ask an admin of the project to add you.'
  const environment_id = scope?.environment?.id
  const { role: own } = grantIn(membership, environment_id)
  const where =
    environment_id !== undefined && membership.overrides.has(environment_id) ? 'environment' : 'project'
  if (!PROJECT_ROLES.some((known) => known === own)) {
    return `This needs the permission ${access}, which your role ${own} in the ${where} lacks. Ask an admin of the project.`
  }
  const having = needed === 'admin' ? 'the role admin' : `the role ${needed} or above`
  return `This needs the permission ${access} in the ${where}. It comes with ${having}, and your role is ${own}. Ask an admin of the project.`
}

/** `own` names the environment of the key. */
function describeForKey(
  access: ActorAccess,
  actor: SdkKeyActor,
  scope: ProjectScope | null,
  own: string,
): string {
  const { environment_id, key_kind, project_id } = actor
  if (key_kind !== 'server') {
    return (
      `A ${key_kind} key may only read flags and send reports in ${own}. ` +
      'Use a server key, or the token of a user.'
    )
  }
  if (scope && scope.project_id !== project_id) {
    return `This key belongs to ${own} of another project. Use a key of this project.`
  }
  if (ACCESS[access].user === 'workspace_admin' || scope === null) {
    return 'SDK keys may not do this. Sign in, or use the token of a user.'
  }
  if (scope.environment && scope.environment.id !== environment_id) {
    return `This key belongs to ${own}, and the path names another one. Use a key of the environment in the path.`
  }
  return 'SDK keys may not do this. Sign in as an admin of the project, or use the token of one.'
}
