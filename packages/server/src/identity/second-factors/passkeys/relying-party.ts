import { isIP } from 'node:net'

/** The owner of passkeys (WebAuthn, section 4): a host name, and the origins of the pages that use them. */
export interface RelyingParty {
  readonly id: string
  readonly origins: readonly string[]
}

const LOCAL = /^(?:.+\.)?localhost$/

/**
 * Returns the relying party of the server: the host of PUBLIC_URL. Without that setting it is the host of the
 * request, and only on the same machine: browsers refuse passkeys on pages without https, except of
 * localhost, and a header that anyone can send must not name a host of the network. Null where passkeys
 * cannot work.
 */
export function findRelyingParty(publicUrl: string | null, host: string | undefined): RelyingParty | null {
  if (publicUrl !== null) {
    const { hostname, origin, protocol } = new URL(publicUrl)
    const isUsable = LOCAL.test(hostname) || (protocol === 'https:' && !isAddress(hostname))
    return isUsable ? { id: hostname, origins: [origin] } : null
  }
  const pages = ['http', 'https'].map((scheme) => URL.parse(`${scheme}://${host ?? ''}`))
  const [page] = pages
  if (!page || !LOCAL.test(page.hostname)) return null
  return { id: page.hostname, origins: pages.flatMap((one) => (one ? [one.origin] : [])) }
}

const isAddress = (hostname: string): boolean => hostname.startsWith('[') || isIP(hostname) !== 0
