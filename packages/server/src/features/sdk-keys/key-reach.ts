import type { Actor } from '../../kernel/actor.ts'
import { forbidden } from '../../kernel/refusal.ts'

/** A server key creates and revokes the keys of its own environment only (docs/reference/access.md#sdk-keys). */
export function requireKeyReach(actor: Actor, environment_id: string): void {
  if (actor.kind === 'sdk_key' && actor.environment_id !== environment_id) {
    throw forbidden('An SDK key may create and revoke keys of its own environment only.')
  }
}
