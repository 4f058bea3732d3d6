import * as openid from 'openid-client'
import type { Clock } from '../../platform/clock.ts'
import type { SingleSignOnConfig } from '../../platform/settings/single-sign-on-config.ts'
import { createBoundedFetch } from './bounded-fetch.ts'
import { CLOCK_TOLERANCE_SECONDS } from './clock-tolerance.ts'
import { createDiscovery, toExchange } from './discover-provider.ts'
import { type Identity, lacksClaims, readIdentity } from './identity.ts'
import type { LoginSecrets } from './login-secrets.ts'
import { mergeClaims } from './merge-claims.ts'
import { postLogoutRedirectUri, redirectUri } from './provider-addresses.ts'
import { toRefused } from './provider-failure.ts'
import { SsoRefused } from './sso-refused.ts'

/** The result of a login at the provider. */
export interface ProviderLogin {
  readonly identity: Identity
  readonly idToken: string
}

/** The identity provider of this installation (OpenID Connect Core 1.0). Every call may refuse. */
export interface IdentityProvider {
  /** Returns the address of the login. `isFresh` asks the person to prove again who they are. */
  authorizationUrl(secrets: LoginSecrets, options: { readonly isFresh: boolean }): Promise<string>
  /** Redeems the code of a callback, whose query is given with its question mark. */
  redeem(query: string, secrets: LoginSecrets): Promise<ProviderLogin>
  /** Returns the address that ends the provider's session; null when the provider has none. */
  logoutUrl(idToken: string | null): Promise<string | null>
  /** Returns the claims of a token that the provider has signed. Anyone may have sent it. */
  verifyLogoutToken(token: string): Promise<Readonly<Record<string, unknown>>>
}

interface Deps {
  readonly clock: Clock
  readonly config: SingleSignOnConfig
}

export function createIdentityProvider(given: Deps): IdentityProvider {
  const { config } = given
  const deps = { ...given, fetch: createBoundedFetch(config.proxy) }
  const discovery = createDiscovery(deps)
  return {
    async authorizationUrl({ nonce, state, verifier }, { isFresh }) {
      // Read now: the person is not sent to a provider that is down.
      const { metadata } = await discovery.readNow()
      const url = openid.buildAuthorizationUrl(toExchange(deps, metadata), {
        redirect_uri: redirectUri(config),
        scope: config.scopes,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isFresh && { prompt: 'login', max_age: '0' }),
      })
      return url.href
    },
    async redeem(query, secrets) {
      const { keys, metadata } = await discovery.readKnown()
      const exchange = toExchange(deps, metadata)
      try {
        const tokens = await requestTokens(deps, exchange, { query, secrets })
        await keys.verify(tokens.idToken, { isFromProvider: true })
        requirePast(deps, tokens.claims)
        const claims = await withUserInfo(deps, exchange, tokens)
        const identity = readIdentity(claims, config.groupsClaim)
        if (identity === null) throw new SsoRefused('invalid_response', new Error('the subject is unusable'))
        return { identity, idToken: tokens.idToken }
      } catch (error) {
        throw toRefused(error)
      }
    },
    async logoutUrl(idToken) {
      const { metadata } = await discovery.readKnown()
      if (metadata.end_session_endpoint === undefined) return null
      const url = openid.buildEndSessionUrl(toExchange(deps, metadata), {
        post_logout_redirect_uri: postLogoutRedirectUri(config),
        ...(idToken !== null && { id_token_hint: idToken }),
      })
      return url.href
    },
    async verifyLogoutToken(token) {
      const { keys, metadata } = await discovery.readKnown()
      const claims = await keys.verify(token, { isFromProvider: false })
      if (claims.iss !== metadata.issuer)
        throw new SsoRefused('invalid_response', new Error('the token is of another issuer'))
      return claims
    },
  }
}

interface Tokens {
  readonly idToken: string
  readonly accessToken: string
  readonly claims: openid.IDToken
}

async function requestTokens(
  { config }: Deps,
  exchange: openid.Configuration,
  { query, secrets }: { readonly query: string; readonly secrets: LoginSecrets },
): Promise<Tokens> {
  const tokens = await openid.authorizationCodeGrant(exchange, new URL(redirectUri(config) + query), {
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    pkceCodeVerifier: secrets.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined || tokens.id_token === undefined)
    throw new SsoRefused('invalid_response', new Error('the ID token is missing'))
  // Also with one audience (OpenID Connect Core 1.0, 3.1.3.7, 5): the token was made for another client.
  if (claims.azp !== undefined && claims.azp !== config.clientId)
    throw new SsoRefused('invalid_response', new Error('the ID token is authorized for another party'))
  return { idToken: tokens.id_token, accessToken: tokens.access_token, claims }
}

/** Refuses a token from the future. Its age is no problem: Entra ID dates its tokens back by minutes. */
function requirePast({ clock }: Deps, { iat }: openid.IDToken): void {
  if (iat <= clock.now().getTime() / 1_000 + CLOCK_TOLERANCE_SECONDS) return
  throw new SsoRefused('clock', new Error('the ID token was issued in the future'))
}

/** Reads the user info where the ID token lacks a claim and the provider has such an endpoint. */
async function withUserInfo(
  { config }: Deps,
  exchange: openid.Configuration,
  { accessToken, claims }: Tokens,
): Promise<Readonly<Record<string, unknown>>> {
  const { userinfo_endpoint } = exchange.serverMetadata()
  if (userinfo_endpoint === undefined || !lacksClaims(claims, config.groupsClaim)) return claims
  return mergeClaims(claims, await openid.fetchUserInfo(exchange, accessToken, claims.sub))
}
