import { isIP } from 'node:net'
import { toGroups } from './outbound/to-groups.ts'

/** Which proxies are trusted to name the client, as the setting TRUST_PROXY was read. */
export type TrustProxy = boolean | number | string[]

/** Tells whether the hop at this position is trusted; position 0 is the peer of the socket. */
type TrustHop = (address: string, hop: number) => boolean

/**
 * What Fastify needs to find the client behind the trusted proxies. `true` trusts exactly one proxy: everything further left in
 * `X-Forwarded-For` was sent by the client, who can write any address there.
 */
export function trustedHops(trustProxy: TrustProxy): false | string[] | TrustHop {
  if (trustProxy === false || Array.isArray(trustProxy)) return trustProxy
  const hops = trustProxy === true ? 1 : trustProxy
  return (_address, hop) => hop < hops
}

/**
 * An address in one spelling: an IPv4-mapped IPv6 address as IPv4, without brackets, port and zone. null when the text is no
 * address, which a proxy can forward from a client.
 */
export function toClientAddress(text: string): string | null {
  const [bare = ''] = withoutPort(text.trim()).split(ZONE, 1)
  const family = isIP(bare)
  if (family !== 6) return family === 4 ? bare : null
  const groups = toGroups(bare)
  return mappedIpv4(groups) ?? groups.map((group) => group.toString(16)).join(':')
}

/**
 * What limits for an address are counted by. An IPv6 client owns at least a /64, so all addresses of one /64 count as one; an
 * IPv4 address counts by itself.
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

/** Some proxies forward `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  BRACKETS_AND_PORT.exec(text)?.[1] ?? IPV4_AND_PORT.exec(text)?.[1] ?? text

/** The IPv4 address that `::ffff:0:0/96` carries; null for any other IPv6 address. */
function mappedIpv4(groups: readonly number[]): string | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  if ((a | b | c | d | e) !== 0 || f !== 0xffff) return null
  return [g >> 8, g & 0xff, h >> 8, h & 0xff].join('.')
}
