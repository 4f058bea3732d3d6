import { assertNever } from './assert-never.ts'

/**
 * The authenticated caller: a user (by session or personal access token) or an SDK key
 * (docs/reference/access.md#credentials).
 */
export type Actor = UserActor | SdkKeyActor

/** The actor that a change is recorded for: the current caller, or the one who requested it earlier. */
export type Author = Actor | PastActor

/** The actor of a scheduled change, when it is applied. */
export interface PastActor extends Acting {
  readonly kind: 'past'
  /** The name that the audit log recorded at that time. */
  readonly name: string
  /** The proof of the right to make the change; absent where nothing of it was stored. */
  readonly credential?: {
    readonly kind: 'scim_token' | 'one_time_link' | 'session'
    readonly id: string | null
  }
}

interface Acting {
  /** The id of the request, for the audit log. Absent when no request caused the change. */
  readonly request_id?: string
  /** The address of the caller. */
  readonly address?: string
  /** The program of the caller, as it names itself. */
  readonly user_agent?: string
  /** The kind of program that makes a direct change; absent for people and other programs. */
  readonly origin?: 'mcp'
  /** Why it is done, in the words of the person; absent where they gave none. */
  readonly comment?: string
  /** Why invariants may be violated, in the words of the person; absent where they must hold. */
  readonly override?: string
}

export interface UserActor extends Acting {
  readonly kind: 'user'
  readonly user_id: number
  readonly name: string
  readonly email: string
  readonly role: 'admin' | 'editor' | 'viewer'
  /** True for the account of a program, which has tokens and no login. */
  readonly isServiceAccount?: true
  readonly credential:
    | {
        readonly kind: 'session'
        readonly sessionId: string
        /** The last time that the person proved who they are, ISO 8601 in UTC. */
        readonly authenticatedAt: string
        /** True while the account must add a second factor before it can do anything else. */
        readonly mustEnroll?: boolean
      }
    | { readonly kind: 'token'; readonly token_id: number; readonly scope: 'read_only' | 'read_write' }
}

/**
 * The kinds of keys: `server` keys have the rights of an admin, `reader` keys read flags and report, `client`
 * keys do so from browsers.
 */
export type KeyKind = 'server' | 'reader' | 'client'

export interface SdkKeyActor extends Acting {
  readonly kind: 'sdk_key'
  /** The id of the key; null for the legacy SDK_KEY setting, which has no stored record. */
  readonly key_id: number | null
  readonly name: string
  readonly key_kind: KeyKind
  readonly project_id: string
  readonly environment_id: string
  /**
   * True when environment and workspace let keys create and revoke keys, and change webhooks, integrations
   * and the environment.
   */
  readonly mayManage: boolean
  /** The user who created the key, directly or through other keys; null when unknown. */
  readonly createdBy: number | null
  /** True when the key was created together with its project. */
  readonly isSeeded: boolean
}

/** The refusal for keys when `keys_may_manage` is off in the environment or the workspace. */
export const KEYS_MAY_NOT_MANAGE =
  'SDK keys may not manage this environment: keys_may_manage is off. Sign in as an admin of the project, or use the token of one.'

/** Returns the name of an actor in the audit log and in events (docs/reference/access.md). */
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

/**
 * Returns the identity of the requester, for the rule that requesters cannot approve their own requests: a
 * user, whatever the credential, or a key.
 */
export const actorIdentity = (actor: Actor): string =>
  actor.kind === 'user' ? `user:${actor.user_id}` : `sdk_key:${actor.key_id ?? 'legacy'}`

/** Returns whether the actor is a client key, which is published in web pages and therefore public. */
export const isClientKey = (actor: Actor): boolean => actor.kind === 'sdk_key' && actor.key_kind === 'client'

/**
 * Returns the user behind an actor, who may not approve what the actor requested: the user, or the creator of
 * a key. A key that was created with its project has no user, except in fully guarded environments.
 */
export function personBehind(actor: Actor, { isGuarded }: { readonly isGuarded: boolean }): number | null {
  if (actor.kind === 'user') return actor.user_id
  return actor.isSeeded && !isGuarded ? null : actor.createdBy
}

/** Describes the credential of an actor for the audit log. Its id is not secret. */
export function credentialOf(actor: Actor): { readonly kind: string; readonly id: number | string | null } {
  if (actor.kind === 'sdk_key') return { kind: 'sdk_key', id: actor.key_id }
  const { credential } = actor
  return credential.kind === 'session'
    ? { kind: 'session', id: credential.sessionId }
    : { kind: 'access_token', id: credential.token_id }
}

export const isWorkspaceAdmin = (actor: Actor): boolean => actor.kind === 'user' && actor.role === 'admin'
