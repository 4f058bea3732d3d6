import { assertNever } from './assert-never.ts'

/** Who is acting: a person (by session or personal access token) or an SDK key (docs/reference/access.md#credentials). */
export type Actor = UserActor | SdkKeyActor

/** Who a change is written down for: someone acting now, or someone who asked for it earlier. */
export type Author = Actor | PastActor

/** Who scheduled a change, when its time has come. */
export interface PastActor extends Acting {
  readonly kind: 'past'
  /** As the audit log named them then. */
  readonly name: string
}

interface Acting {
  /** The request on whose behalf, for the audit log; absent where nobody asked. */
  readonly request_id?: string
  /** Where that request came from. */
  readonly address?: string
}

export interface UserActor extends Acting {
  readonly kind: 'user'
  readonly user_id: number
  readonly name: string
  readonly email: string
  readonly role: 'admin' | 'editor' | 'viewer'
  readonly credential:
    | { readonly kind: 'session'; readonly sessionId: string }
    | { readonly kind: 'token'; readonly token_id: number; readonly scope: 'read_only' | 'read_write' }
}

/** `server` keys are admin-equivalent, `reader` keys read flags and report, `client` keys do so from browsers. */
export type KeyKind = 'server' | 'reader' | 'client'

export interface SdkKeyActor extends Acting {
  readonly kind: 'sdk_key'
  /** null for the legacy SDK_KEY setting, which has no stored record. */
  readonly key_id: number | null
  readonly name: string
  readonly key_kind: KeyKind
  readonly project_id: string
  readonly environment_id: string
  /** Environment and workspace let keys create and revoke keys, and change webhooks, integrations and the environment. */
  readonly mayManage: boolean
  /** The user that it was created by, also by way of other keys; null where that is not known. */
  readonly createdBy: number | null
  /** It came with its project. */
  readonly isSeeded: boolean
}

/** Said to keys where `keys_may_manage` is off, for the environment or for the workspace. */
export const KEYS_MAY_NOT_MANAGE =
  'SDK keys may not manage this environment: keys_may_manage is off. Sign in as an admin of the project, or use the token of one.'

/** The name that the audit log and events give to an actor (docs/reference/access.md). */
export function actorName(author: Author): string {
  switch (author.kind) {
    case 'user':
      return author.email
    case 'sdk_key':
      return `sdk-key:${author.name}`
    case 'past':
      return author.name
    default:
      return assertNever(author)
  }
}

/** Who a request belongs to, for the rule that nobody approves their own: a person, whatever they came with, or a key. */
export const actorIdentity = (actor: Actor): string =>
  actor.kind === 'user' ? `user:${actor.user_id}` : `sdk_key:${actor.key_id ?? 'legacy'}`

/** Whether a client key acts: one that is published with a web page, so that anybody may hold it. */
export const isClientKey = (actor: Actor): boolean => actor.kind === 'sdk_key' && actor.key_kind === 'client'

/**
 * The user behind an actor, who may not approve what it asked for: the person, or the creator of a key. A key that came with its
 * project is somebody of its own, but not where nothing goes without an approval.
 */
export function personBehind(actor: Actor, { isGuarded }: { readonly isGuarded: boolean }): number | null {
  if (actor.kind === 'user') return actor.user_id
  return actor.isSeeded && !isGuarded ? null : actor.createdBy
}

/** What an actor came with, for the audit log. The id opens nothing. */
export function credentialOf(actor: Actor): { readonly kind: string; readonly id: number | string | null } {
  if (actor.kind === 'sdk_key') return { kind: 'sdk_key', id: actor.key_id }
  const { credential } = actor
  return credential.kind === 'session'
    ? { kind: 'session', id: credential.sessionId }
    : { kind: 'access_token', id: credential.token_id }
}

export const isWorkspaceAdmin = (actor: Actor): boolean => actor.kind === 'user' && actor.role === 'admin'
