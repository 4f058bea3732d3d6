import type { singleSignOnEndpoints } from '@burgee/contract'
import { Refusal, tooMany } from '../../kernel/refusal.ts'
import { clearedSessionCookie } from '../../kernel/session-cookie.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { logOut } from '../auth/index.ts'
import { endProviderSession } from './end-provider-session.ts'
import { findProviderSession } from './logout-queries.ts'
import { requireSetUp, type SingleSignOn, type SingleSignOnDeps } from './single-sign-on.ts'

type LogoutHandlers = Pick<
  EndpointHandlers<typeof singleSignOnEndpoints>,
  'logOutAtProvider' | 'endProviderSession'
>

/** Handles logouts that end a session here and at the provider, from either side. */
export function logoutHandlers(deps: SingleSignOnDeps): LogoutHandlers {
  const { cookieSecure, db, log, singleSignOn, tokenSeal } = deps
  return {
    async logOutAtProvider({ actor, headers: { 'user-agent': userAgent }, request_id }) {
      const { credential } = actor
      const session =
        credential.kind === 'session' ? await findProviderSession(db, credential.sessionId) : undefined
      await logOut(deps, actor, userAgent)
      const idToken = session?.id_token ? tokenSeal.open(session.id_token) : null
      // A provider that is down ends no session of its own, and does not keep this one open.
      const url =
        session && singleSignOn
          ? await singleSignOn.provider.logoutUrl(idToken).catch((err: unknown) => {
              log.warn({ err, request_id }, 'the logout at the identity provider was left out')
              return null
            })
          : null
      const headers = {
        'set-cookie': clearedSessionCookie(cookieSecure),
        'clear-site-data': '"cache", "storage"',
      }
      return { status: 200, body: { url }, headers }
    },
    async endProviderSession({ address, body }) {
      const parts = requireSetUp(singleSignOn)
      await endProviderSession(deps, parts, body.logout_token).catch((error: unknown) => {
        throw countRefused(parts, address, error)
      })
      return { status: 200, body: null, headers: { 'cache-control': 'no-store' } }
    },
  }
}

/**
 * Counts a token that was refused, and returns the error to send. Only refused tokens count, and a valid one
 * is accepted at any count, so that a stranger in the provider's network cannot hold up logouts.
 */
function countRefused({ refusedLogouts }: SingleSignOn, address: string, error: unknown): unknown {
  if (!(error instanceof Refusal) || error.kind !== 'malformed') return error
  const network = countedNetwork(address)
  const seconds = refusedLogouts.retryAfterSeconds(network)
  if (seconds !== null) return tooMany('Too many wrong logout tokens from this address.', seconds)
  refusedLogouts.count(network)
  return error
}
