import { type Access, isAllowed } from '@burgee/contract'
import type { Actor, SdkKeyActor } from '../kernel/actor.ts'
import type { ProjectScope } from '../kernel/scope.ts'

/**
 * Returns whether the actor may do this in the scope, which is null when the path names no project or
 * environment.
 */
type Rule = (actor: Actor, scope: ProjectScope | null) => boolean

const isServerKey = (actor: Actor): actor is SdkKeyActor =>
  actor.kind === 'sdk_key' && actor.key_kind === 'server'

const isManagingKeyOfProject: Rule = (actor, scope) => isServerKeyOfProject(actor, scope) && mayManage(actor)

const isManagingKeyOfEnvironment: Rule = (actor, scope) =>
  isServerKeyOfEnvironment(actor, scope) && mayManage(actor)

const mayManage = (actor: Actor): boolean => actor.kind === 'sdk_key' && actor.mayManage

const isServerKeyOfProject: Rule = (actor, scope) =>
  isServerKey(actor) && actor.project_id === scope?.project_id

const isServerKeyOfEnvironment: Rule = (actor, scope) =>
  isServerKey(actor) && actor.environment_id === scope?.environment?.id

const isKeyOfEnvironment: Rule = (actor, scope) =>
  actor.kind === 'sdk_key' && actor.environment_id === scope?.environment?.id

/** Creates the rule of the contract for users, whatever their credential. */
const isPersonWho =
  (access: Access): Rule =>
  (actor, scope) =>
    actor.kind === 'user' &&
    isAllowed(access, { workspaceRole: actor.role, projectRole: scope?.membership ?? null })

const either =
  (...rules: readonly Rule[]): Rule =>
  (actor, scope) =>
    rules.some((rule) => rule(actor, scope))

/** Accesses without an actor: public ones, and those with one fixed token. */
export type TokenAccess = 'public' | 'setup_token' | 'metrics_token'
export type ActorAccess = Exclude<Access, TokenAccess>

/** Returns whether only `keys_may_manage` prevents the key from the access. */
export const isKeptFromManaging = (access: ActorAccess, actor: Actor, scope: ProjectScope | null): boolean =>
  actor.kind === 'sdk_key' && !actor.mayManage && ACCESS_RULES[access]({ ...actor, mayManage: true }, scope)

/** The rules of the contract's accesses (docs/reference/access.md#roles). */
export const ACCESS_RULES: Record<ActorAccess, Rule> = {
  // A key for browsers has the rights of SDKs, and no others.
  any_credential: (actor) => actor.kind === 'user' || isServerKey(actor),
  // The handler responds with 401 to an SDK key, instead of 403 (docs/reference/api.md#statuses).
  read_self: () => true,
  account: (actor) => actor.kind === 'user',
  workspace_admin: isPersonWho('workspace_admin'),
  list_projects: (actor) => actor.kind === 'user' || isServerKey(actor),
  read_project: either(isPersonWho('read_project'), isServerKeyOfProject),
  write_project: isPersonWho('write_project'),
  delete_project: isPersonWho('delete_project'),
  write_environment: either(isPersonWho('write_environment'), isManagingKeyOfEnvironment),
  read_project_flags: isPersonWho('read_project_flags'),
  write_keys: either(isPersonWho('write_keys'), isManagingKeyOfProject),
  read_environment: either(isPersonWho('read_environment'), isServerKeyOfEnvironment),
  ingest: either(isPersonWho('ingest'), isKeyOfEnvironment),
  write_flags: either(isPersonWho('write_flags'), isServerKeyOfEnvironment),
  open_stream: () => true,
  // The handler responds with 400 to a session, instead of 403 (docs/reference/api.md#statuses).
  read_snapshot: () => true,
  ack: (actor) => actor.kind === 'sdk_key',
}
