import { isIP } from 'node:net'
import { toGroups } from './outbound/to-groups.ts'

/** The proxies that are trusted to name the client, as parsed from TRUST_PROXY. */
export type TrustProxy = boolean | number | string[]

/** Returns whether the hop at this position is trusted. Position 0 is the peer of the socket. */
type TrustHop = (address: string, hop: number) => boolean

/**
 * Returns the option with which Fastify finds the client behind trusted proxies. `true` trusts exactly one
 * proxy: the client itself can write any address further left in `X-Forwarded-For`.
 */
export function trustedHops(trustProxy: TrustProxy): false | string[] | TrustHop {
  if (trustProxy === false || Array.isArray(trustProxy)) return trustProxy
  const hops = trustProxy === true ? 1 : trustProxy
  return (_address, hop) => hop < hops
}

/**
 * Normalizes an address: an IPv4-mapped IPv6 address becomes IPv4, without brackets, port and zone. Null when
 * the text is not an address, which a proxy may forward from a client.
 */
export function toClientAddress(text: string): string | null {
  const [bare = ''] = withoutPort(text.trim()).split(ZONE, 1)
  const family = isIP(bare)
  if (family !== 6) return family === 4 ? bare : null
  const groups = toGroups(bare)
  return mappedIpv4(groups) ?? groups.map((group) => group.toString(16)).join(':')
}

/**
 * Returns the network that rate limits count. An IPv6 client owns at least a /64, so the addresses of a /64
 * count as one; an IPv4 address counts by itself.
 */
export function countedNetwork(address: string): string {
  const client = toClientAddress(address)
  if (client === null || !client.includes(':')) return client ?? address
  return `${client.split(':').slice(0, NETWORK_GROUPS).join(':')}::/64`
}

const NETWORK_GROUPS = 4
const ZONE = '%'
const BRACKETS_AND_PORT = /^\[([^\]]*)\](?::\d+)?$/
const IPV4_AND_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/

/** Removes the port: some proxies forward `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  BRACKETS_AND_PORT.exec(text)?.[1] ?? IPV4_AND_PORT.exec(text)?.[1] ?? text

/** Returns the IPv4 address in `::ffff:0:0/96`; null for other IPv6 addresses. */
function mappedIpv4(groups: readonly number[]): string | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  if ((a | b | c | d | e) !== 0 || f !== 0xffff) return null
  return [g >> 8, g & 0xff, h >> 8, h & 0xff].join('.')
}
