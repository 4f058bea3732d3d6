import { type Endpoint, RECENT_LOGIN_MS } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { forbidden, type Refusal } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'

/**
 * Returns the refusal of a session whose login is too old for every request of the endpoint; null otherwise.
 * Keys and tokens are not sessions (docs/reference/access.md#sessions).
 */
export function findStaleLogin(
  deps: { readonly clock: Clock },
  { needsRecentLogin }: Pick<Endpoint, 'needsRecentLogin'>,
  actor: Actor,
): Refusal | null {
  return needsRecentLogin === true && isStale(deps, actor) ? reauthenticationRequired() : null
}

/** Refuses a session whose login is too old for one of the fields of the body. */
export function requireRecentLogin(
  deps: { readonly clock: Clock },
  { needsRecentLogin }: Pick<Endpoint, 'needsRecentLogin'>,
  { actor, body }: { readonly actor: Actor | null; readonly body: unknown },
): void {
  if (needsRecentLogin === undefined || needsRecentLogin === true || !actor) return
  const fields: object = Object(body)
  if (needsRecentLogin.some((field) => Object.hasOwn(fields, field)) && isStale(deps, actor)) {
    throw reauthenticationRequired()
  }
}

function isStale({ clock }: { readonly clock: Clock }, actor: Actor): boolean {
  if (actor.kind !== 'user' || actor.credential.kind !== 'session') return false
  return clock.now().getTime() - Date.parse(actor.credential.authenticatedAt) > RECENT_LOGIN_MS
}

const reauthenticationRequired = () =>
  forbidden(
    'Confirm your password first, with POST /api/auth/reauthenticate: this needs a login within the last 10 minutes.',
    { reason: 'reauthentication_required' },
  )
