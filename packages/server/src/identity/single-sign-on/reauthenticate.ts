import { keepProviderSession } from '../auth/index.ts'
import { CLOCK_TOLERANCE_SECONDS, SsoRefused } from '../oidc/index.ts'
import type { SessionLogin } from './link-session.ts'
import { toProviderSession } from './provider-session.ts'
import { findLinkedAccount } from './queries.ts'
import type { SignInDeps } from './sign-in.ts'

/**
 * Confirms a session with a login at the provider that has just taken place, and replaces its cookie. Refuses
 * a login of another person, and one that the provider does not date.
 */
export async function reauthenticate(
  { db, sessions, tokenSeal }: SignInDeps,
  { flow, login, request, session }: SessionLogin,
): Promise<readonly string[]> {
  const { identity } = login
  const linked = await findLinkedAccount(db, identity)
  if (linked?.id !== session.user_id) throw new SsoRefused('other_account')
  const startedAt = flow.startedAtMs / 1_000 - CLOCK_TOLERANCE_SECONDS
  if (identity.authTime === null || identity.authTime < startedAt)
    throw new SsoRefused('reauthentication_unconfirmed')
  return db.transaction().execute(async (tx) => {
    const confirmed = await sessions.confirmAuthentication(tx, session.id, { method: 'sso', request })
    // A logout at the provider ends what was confirmed there, also a session that began with a password.
    await keepProviderSession(tx, toProviderSession(tokenSeal, confirmed.sessionId, login))
    return [confirmed.cookie]
  })
}
