import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIP } from 'node:net'

const EVERY_INTERFACE = '::'
const EVERY_IPV4_INTERFACE = '0.0.0.0'
const LOCAL = ['localhost', '127.0.0.1', '::1', EVERY_INTERFACE, EVERY_IPV4_INTERFACE]

/**
 * Resolves `HOST` to an address, the IPv4 one when a name has both. Unset means every interface: over IPv6,
 * which includes IPv4, when the machine has it.
 */
export async function resolveHost(host: string | null): Promise<string> {
  if (host !== null) return isIP(host) === 0 ? (await lookup(host, { verbatim: false })).address : host
  return (await canListenOn(EVERY_INTERFACE)) ? EVERY_INTERFACE : EVERY_IPV4_INTERFACE
}

async function canListenOn(host: string): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ host, port: 0 })
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/** Tests whether an address is reachable only from this machine. */
export const isLocalHost = (host: string | null): boolean =>
  host === 'localhost' || host === '::1' || host?.startsWith('127.') === true

/** Returns the address for a browser on this machine: `http://localhost:3000`. */
export function listeningUrl(host: string | null, address: AddressInfo | string | null): string {
  const port = typeof address === 'object' && address !== null ? address.port : 0
  if (host === null || LOCAL.includes(host)) return `http://localhost:${port}`
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
