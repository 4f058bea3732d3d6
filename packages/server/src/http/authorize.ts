import { type Access, userMay } from '@burgee/contract'
import type { Actor, SdkKeyActor } from '../kernel/actor.ts'
import type { ProjectScope } from '../kernel/scope.ts'

/** May this actor do this here? `scope` is null where the path names no project or environment. */
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

/** What the contract asks of a person for an access, whatever they came with. */
const isPersonWho =
  (access: Access): Rule =>
  (actor, scope) =>
    actor.kind === 'user' &&
    userMay(access, { workspaceRole: actor.role, projectRole: scope?.membership ?? null })

const either =
  (...rules: readonly Rule[]): Rule =>
  (actor, scope) =>
    rules.some((rule) => rule(actor, scope))

/** Accesses that know no actor: anyone, or the bearer of one fixed token. */
export type TokenAccess = 'public' | 'setup_token' | 'metrics_token'
export type ActorAccess = Exclude<Access, TokenAccess>

/** Whether the key has what it takes, but for `keys_may_manage`. */
export const isKeptFromManaging = (access: ActorAccess, actor: Actor, scope: ProjectScope | null): boolean =>
  actor.kind === 'sdk_key' && !actor.mayManage && ACCESS_RULES[access]({ ...actor, mayManage: true }, scope)

/** One rule for each access of the contract (docs/reference/access.md#roles). */
export const ACCESS_RULES: Record<ActorAccess, Rule> = {
  // A key made for browsers does what SDKs do, and nothing else.
  any_credential: (actor) => actor.kind === 'user' || isServerKey(actor),
  // An SDK key is answered 401 there, by the handler, not 403 (docs/reference/api.md#statuses).
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
  // A session is answered 400 there, by the handler, not 403 (docs/reference/api.md#statuses).
  read_snapshot: () => true,
}
