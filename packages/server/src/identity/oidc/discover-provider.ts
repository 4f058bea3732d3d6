import * as openid from 'openid-client'
import type { Clock } from '../../platform/clock.ts'
import type { SingleSignOnConfig } from '../../platform/settings/single-sign-on-config.ts'
import type { BoundedFetch } from './bounded-fetch.ts'
import { CLOCK_TOLERANCE_SECONDS } from './clock-tolerance.ts'
import { toRefused } from './provider-failure.ts'
import { SsoRefused } from './sso-refused.ts'
import { createTokenKeys, type TokenKeys } from './token-keys.ts'

/** The timeout of each request to the provider. */
const TIMEOUT_SECONDS = 5
/** The age at which the provider's description is read again, and at which it is not used any more. */
const REFRESH_MS = 10 * 60_000
const STALE_MS = 24 * 60 * 60_000

/** The provider as it describes itself, with its keys. */
interface DiscoveredProvider {
  readonly metadata: openid.ServerMetadata
  readonly keys: TokenKeys
}

interface Deps {
  readonly clock: Clock
  readonly config: SingleSignOnConfig
  readonly fetch: BoundedFetch
}

export interface Discovery {
  /**
   * Reads the provider's description. Refuses with `provider_unavailable` also where an earlier one is known.
   */
  readNow(): Promise<DiscoveredProvider>
  /** Returns a description of the last minutes; while the provider is unavailable, of the last day. */
  readKnown(): Promise<DiscoveredProvider>
}

/** Creates the reader of the provider's description. Nothing is read before it is needed. */
export function createDiscovery({ clock, config, fetch }: Deps): Discovery {
  let known: { readonly provider: DiscoveredProvider; readonly atMs: number } | null = null
  let running: Promise<DiscoveredProvider> | null = null
  const ageMs = () => (known === null ? Number.POSITIVE_INFINITY : clock.monotonicMs() - known.atMs)
  const read = async (): Promise<DiscoveredProvider> => {
    const metadata = await readMetadata(config, fetch)
    const isSame = known?.provider.metadata.jwks_uri === metadata.jwks_uri
    const keys = isSame && known ? known.provider.keys : createKeys(metadata, fetch)
    known = { provider: { metadata, keys }, atMs: clock.monotonicMs() }
    return known.provider
  }
  /** Callers at the same time share one request. */
  const readNow = async (): Promise<DiscoveredProvider> => {
    running ??= read().finally(() => {
      running = null
    })
    return running.catch((error: unknown) => {
      throw toRefused(error)
    })
  }
  return {
    readNow,
    async readKnown() {
      if (known && ageMs() < REFRESH_MS) return known.provider
      try {
        return await readNow()
      } catch (error) {
        if (known && ageMs() < STALE_MS) return known.provider
        throw error
      }
    },
  }
}

const createKeys = ({ jwks_uri }: openid.ServerMetadata, fetch: BoundedFetch): TokenKeys =>
  createTokenKeys(jwks_uri ?? '', { fetch, timeoutMs: TIMEOUT_SECONDS * 1_000 })

async function readMetadata(config: SingleSignOnConfig, fetch: BoundedFetch): Promise<openid.ServerMetadata> {
  const { clientId, issuer } = config
  const found = await openid.discovery(new URL(issuer), clientId, undefined, openid.None(), {
    timeout: TIMEOUT_SECONDS,
    [openid.customFetch]: fetch,
    ...(isPlainHttp(issuer) && { execute: [openid.allowInsecureRequests] }),
  })
  const metadata: openid.ServerMetadata = JSON.parse(JSON.stringify(found.serverMetadata()))
  const { authorization_endpoint, jwks_uri, token_endpoint } = metadata
  for (const address of [authorization_endpoint, jwks_uri, token_endpoint]) {
    if (!isAddress(address, issuer))
      throw new SsoRefused('misconfigured', new Error('the provider names no address for logins or keys'))
  }
  // The common endpoints of Entra ID, whose tokens come from any tenant.
  if (metadata.issuer.includes('{'))
    throw new SsoRefused('misconfigured', new Error('OIDC_ISSUER must be that of one tenant'))
  return metadata
}

function isAddress(address: string | undefined, issuer: string): boolean {
  if (address === undefined || !URL.canParse(address)) return false
  return address.startsWith('https://') || (isPlainHttp(issuer) && address.startsWith('http://'))
}

/** The settings allow http for a provider on this machine only. */
const isPlainHttp = (issuer: string): boolean => issuer.toLowerCase().startsWith('http://')

/** Returns the configuration of one exchange with the provider. */
export function toExchange(
  { clock, config, fetch }: Deps,
  metadata: openid.ServerMetadata,
): openid.Configuration {
  const { clientId, clientSecret, issuer } = config
  const client = {
    [openid.clockSkew]: Math.round((clock.now().getTime() - Date.now()) / 1_000),
    [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
  }
  const exchange = new openid.Configuration(
    metadata,
    clientId,
    client,
    authenticationOf(metadata, clientSecret),
  )
  exchange.timeout = TIMEOUT_SECONDS
  exchange[openid.customFetch] = fetch
  if (isPlainHttp(issuer)) openid.allowInsecureRequests(exchange)
  return exchange
}

/** Without a list, the provider supports the basic scheme (OpenID Connect Discovery 1.0, section 3). */
function authenticationOf(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: openid.ServerMetadata,
  clientSecret: string,
): openid.ClientAuth {
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? openid.ClientSecretBasic(clientSecret)
    : openid.ClientSecretPost(clientSecret)
}
