import type { Actor } from '../../kernel/actor.ts'
import { forbidden } from '../../kernel/refusal.ts'

/**
 * Refuses unless the key's own environment is named: a server key manages the keys of no other
 * (docs/reference/access.md#sdk-keys).
 */
export function requireKeyReach(actor: Actor, environment_id: string): void {
  if (actor.kind === 'sdk_key' && actor.environment_id !== environment_id) {
    throw forbidden(
      `This key belongs to the environment ${actor.environment_id}: it may create and revoke keys of that environment only. ` +
        'Sign in as an admin of the project, or use the token of one.',
    )
  }
}
