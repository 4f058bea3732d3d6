import type { Method } from '@burgee/contract'
import type { Actor } from '../../kernel/actor.ts'
import { forbidden } from '../../kernel/refusal.ts'

export const CSRF_HEADER = 'x-flagservice-request'

/**
 * Returns whether the browser sends the credential by itself, so that a page of another site could use it.
 */
export const isByCookie = (actor: Actor): boolean =>
  actor.kind === 'user' && actor.credential.kind === 'session'

/**
 * Requires a header that no foreign page can send from writes that are authenticated by cookie
 * (docs/reference/access.md#credentials).
 */
export function requireCsrfHeader(actor: Actor, method: Method, header: string | undefined): void {
  if (isByCookie(actor) && method !== 'GET' && header !== 'true') {
    throw forbidden('Send the header X-Flagservice-Request: true with every change.')
  }
}

export interface RequestOrigin {
  /** The header Sec-Fetch-Site, which pages cannot forge. Browsers send it over https and to localhost. */
  readonly fetchSite: string | undefined
  /** The header Origin. */
  readonly origin: string | undefined
  /** The hosts of this server with their ports. */
  readonly ownHosts: readonly (string | undefined)[]
}

const OWN_SITES: readonly string[] = ['same-origin', 'none']

/**
 * Refuses a write that a browser sends for a page of another origin, sibling hosts included. Programs send
 * neither header and pass. When both are present, Sec-Fetch-Site decides: behind a proxy, the Host can differ
 * from the one that the browser sees.
 */
export function requireOwnOrigin({ fetchSite, origin, ownHosts }: RequestOrigin): void {
  if (fetchSite !== undefined) {
    if (OWN_SITES.includes(fetchSite)) return
    throw forbidden('This request comes from a page of another site. Use the dashboard, or send a bearer.')
  }
  if (origin === undefined) return
  const host = hostOf(origin)
  if (host !== null && ownHosts.some((own) => own !== undefined && withoutUsualPort(own) === host)) return
  throw forbidden(
    'The Origin of this request is another site. Where a proxy changes the Host header, set PUBLIC_URL to the address that people use.',
  )
}

/** Returns the host of an origin; null for an opaque one. */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}

/** Removes the default port: browsers leave it out of an origin, and a proxy may add it to the host. */
const withoutUsualPort = (host: string): string => host.toLowerCase().replace(/:(?:80|443)$/, '')
