import type { Method } from '@burgee/contract'
import type { Actor } from '../kernel/actor.ts'
import { forbidden } from '../kernel/refusal.ts'

export const CSRF_HEADER = 'x-flagservice-request'

/** A cookie-authenticated write must carry a header that no foreign page can send (specification, "Authentication"). */
export function requireCsrfHeader(actor: Actor, method: Method, header: string | undefined): void {
  const by_cookie = actor.kind === 'user' && actor.credential.kind === 'session'
  if (by_cookie && method !== 'GET' && header !== 'true') {
    throw forbidden('Send the header X-Flagservice-Request: true with every change.')
  }
}
