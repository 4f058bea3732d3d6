import { createHash } from 'node:crypto'
import { isObject } from '@burgee/contract'
import { bumpAccessRevision } from '../../changes/index.ts'
import { Refusal, unavailable } from '../../kernel/refusal.ts'
import { endProviderSessions } from '../auth/index.ts'
import { CLOCK_TOLERANCE_SECONDS, SsoRefused } from '../oidc/index.ts'
import { useLogoutToken } from './logout-queries.ts'
import type { SingleSignOn, SingleSignOnDeps } from './single-sign-on.ts'

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** The age of a logout token, also of one that claims to be valid for longer. */
const TOKEN_MAX_AGE_SECONDS = 10 * 60
const ID_MAX_CHARACTERS = 255

/**
 * Ends the sessions of a person for their provider (OpenID Connect Back-Channel Logout 1.0, section 2.6), on
 * every instance within a second. Refuses with `malformed` for any other token.
 */
export async function endProviderSession(
  deps: SingleSignOnDeps,
  { config, provider }: SingleSignOn,
  token: string,
): Promise<void> {
  const claims = await verified(provider.verifyLogoutToken(token))
  const nowSeconds = deps.clock.now().getTime() / 1_000
  const { issuer, jti, sid, subject } = readLogout(claims, { clientId: config.clientId, nowSeconds })
  const ended = await deps.db.transaction().execute(async (tx) => {
    const token_hash = createHash('sha256').update(`${issuer} ${jti}`).digest('hex')
    const expires_at = new Date((nowSeconds + 2 * TOKEN_MAX_AGE_SECONDS) * 1_000).toISOString()
    if (!(await useLogoutToken(tx, { token_hash, expires_at }))) throw invalidToken('it was used before')
    const ids = await endProviderSessions(tx, { issuer, subject, sid })
    if (ids.length > 0) await bumpAccessRevision(tx)
    return ids
  })
  if (ended.length === 0) return
  deps.bus.publish({ kind: 'revocations' })
  deps.onAccessChanged()
}

/** The content of a logout token. At least one of `subject` and `sid` is present. */
interface Logout {
  readonly issuer: string
  readonly jti: string
  readonly subject: string | null
  readonly sid: string | null
}

type Claims = Readonly<Record<string, unknown>>

function readLogout(
  { aud, events, exp, iat, iss, jti, nonce, sid, sub }: Claims,
  { clientId, nowSeconds }: { readonly clientId: string; readonly nowSeconds: number },
): Logout {
  if (![aud].flat().includes(clientId)) throw invalidToken('it is for another client')
  if (typeof iss !== 'string') throw invalidToken('it names no issuer')
  // An ID token has a nonce and no event, so it cannot be used as a logout token.
  if (nonce !== undefined) throw invalidToken('it has a nonce')
  if (!isObject(events) || !isObject(events[LOGOUT_EVENT])) throw invalidToken('it is for another event')
  const isRecent = isTime(iat) && Math.abs(nowSeconds - iat) <= TOKEN_MAX_AGE_SECONDS
  const isExpired = exp !== undefined && !(isTime(exp) && exp > nowSeconds - CLOCK_TOLERANCE_SECONDS)
  if (!isRecent || isExpired) throw invalidToken('it is not of the last ten minutes')
  if (!isId(jti)) throw invalidToken('it has no usable jti')
  const subject = isId(sub) ? sub : null
  const session = isId(sid) ? sid : null
  if (subject === null && session === null) throw invalidToken('it names neither a person nor a session')
  return { issuer: iss, jti, subject, sid: session }
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= ID_MAX_CHARACTERS && !value.includes('\0')

async function verified(claims: Promise<Claims>): Promise<Claims> {
  return claims.catch((error: unknown) => {
    if (!(error instanceof SsoRefused)) throw error
    if (error.failure === 'invalid_response') throw invalidToken('it is not signed by the identity provider')
    throw unavailable('The keys of the identity provider cannot be read. Try again in a moment.')
  })
}

const invalidToken = (why: string) => new Refusal('malformed', `The logout token cannot be used: ${why}.`)
