/** Who is acting: a person (by session or personal access token) or an SDK key (specification, "Authentication"). */
export type Actor = UserActor | SdkKeyActor

export interface UserActor {
  readonly kind: 'user'
  readonly user_id: number
  readonly name: string
  readonly email: string
  readonly role: 'admin' | 'editor' | 'viewer'
  readonly credential:
    | { readonly kind: 'session'; readonly session_id: string }
    | { readonly kind: 'token'; readonly token_id: number; readonly scope: 'read_only' | 'read_write' }
}

export interface SdkKeyActor {
  readonly kind: 'sdk_key'
  /** null for the legacy SDK_KEY setting, which has no stored record. */
  readonly key_id: number | null
  readonly name: string
  readonly key_kind: 'server' | 'client'
  readonly project_id: string
  readonly environment_id: string
}

/** The name that the audit log and events give to an actor (contract, section 4). */
export function actorName(actor: Actor): string {
  return actor.kind === 'user' ? actor.email : `sdk-key:${actor.name}`
}

export const isWorkspaceAdmin = (actor: Actor): boolean => actor.kind === 'user' && actor.role === 'admin'
