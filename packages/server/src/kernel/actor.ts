import { assertNever } from './assert-never.ts'

/** Who is acting: a person (by session or personal access token) or an SDK key (specification, "Authentication"). */
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
}

export interface UserActor extends Acting {
  readonly kind: 'user'
  readonly user_id: number
  readonly name: string
  readonly email: string
  readonly role: 'admin' | 'editor' | 'viewer'
  readonly credential:
    | { readonly kind: 'session'; readonly session_id: string }
    | { readonly kind: 'token'; readonly token_id: number; readonly scope: 'read_only' | 'read_write' }
}

export interface SdkKeyActor extends Acting {
  readonly kind: 'sdk_key'
  /** null for the legacy SDK_KEY setting, which has no stored record. */
  readonly key_id: number | null
  readonly name: string
  readonly key_kind: 'server' | 'client'
  readonly project_id: string
  readonly environment_id: string
}

/** The name that the audit log and events give to an actor (contract, section 4). */
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

export const isWorkspaceAdmin = (actor: Actor): boolean => actor.kind === 'user' && actor.role === 'admin'
