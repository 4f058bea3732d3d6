import type { Access } from '@burgee/contract'
import { type Actor, isWorkspaceAdmin, type SdkKeyActor } from '../kernel/actor.ts'
import type { ProjectScope } from '../kernel/scope.ts'

/** May this actor do this here? `scope` is null where the path names no project or environment. */
type Rule = (actor: Actor, scope: ProjectScope | null) => boolean

const isServerKey = (actor: Actor): actor is SdkKeyActor =>
  actor.kind === 'sdk_key' && actor.key_kind === 'server'

const isServerKeyOfProject: Rule = (actor, scope) =>
  isServerKey(actor) && actor.project_id === scope?.project_id

const isServerKeyOfEnvironment: Rule = (actor, scope) =>
  isServerKey(actor) && actor.environment_id === scope?.environment?.id

const isKeyOfEnvironment: Rule = (actor, scope) =>
  actor.kind === 'sdk_key' && actor.environment_id === scope?.environment?.id

/** A workspace admin passes every membership check (specification, "Roles"). */
const hasRole =
  (...roles: readonly string[]): Rule =>
  (actor, scope) =>
    isWorkspaceAdmin(actor) ||
    (actor.kind === 'user' && scope !== null && scope.membership !== null && roles.includes(scope.membership))

const isMember = hasRole('viewer', 'editor', 'admin')
const isEditor = hasRole('editor', 'admin')
const isProjectAdmin = hasRole('admin')

const either =
  (...rules: readonly Rule[]): Rule =>
  (actor, scope) =>
    rules.some((rule) => rule(actor, scope))

/** Accesses that know no actor: anyone, or the bearer of one fixed token. */
export type TokenAccess = 'public' | 'setup_token' | 'metrics_token'
export type ActorAccess = Exclude<Access, TokenAccess>

/** One rule for each access of the contract (specification, "Roles"; contract, section 4). */
export const ACCESS_RULES: Record<ActorAccess, Rule> = {
  // A key made for browsers does what SDKs do, and nothing else.
  any_credential: (actor) => actor.kind === 'user' || isServerKey(actor),
  // An SDK key is answered 401 there, by the handler, not 403 (specification, "Errors").
  read_self: () => true,
  account: (actor) => actor.kind === 'user',
  workspace_admin: isWorkspaceAdmin,
  list_projects: (actor) => actor.kind === 'user' || isServerKey(actor),
  read_project: either(isMember, isServerKeyOfProject),
  write_project: isProjectAdmin,
  delete_project: isWorkspaceAdmin,
  write_environment: either(isProjectAdmin, isServerKeyOfEnvironment),
  read_project_flags: isMember,
  write_keys: either(isProjectAdmin, isServerKeyOfProject),
  read_environment: either(isMember, isServerKeyOfEnvironment),
  ingest: either(isEditor, isKeyOfEnvironment),
  write_flags: either(isEditor, isServerKeyOfEnvironment),
  open_stream: () => true,
  // A session is answered 400 there, by the handler, not 403 (specification, "Errors").
  read_snapshot: () => true,
}
