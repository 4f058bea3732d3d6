import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { toGroups } from './to-groups.ts'

/**
 * The class of an address. `forbidden` addresses are never reached (docs/reference/events.md): link-local
 * ones, where clouds have their metadata, and unassigned ones. `private` ones are reached unless
 * BLOCK_PRIVATE_TARGETS is set.
 */
export type AddressVerdict = 'public' | 'private' | 'forbidden'

const FORBIDDEN = blockList([
  '0.0.0.0/8', // this network: Linux takes 0.0.0.0 for itself
  '169.254.0.0/16', // link-local; metadata of most clouds
  '100.100.100.200/32', // metadata of Alibaba Cloud
  '168.63.129.16/32', // metadata of Azure
  '192.0.0.192/32', // metadata of Oracle Cloud
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '::/128', // unspecified
  'fe80::/10', // link-local
  'ff00::/8', // multicast
  'fd00:ec2::/32', // metadata of AWS
  'fd20:ce::/32', // metadata of Google Cloud
  'fd00:42::42/128', // metadata of Scaleway
  '64:ff9b:1::/48', // NAT64 of a local operator: what lies behind cannot be seen
])

const PRIVATE = blockList([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '::1/128',
  '100::/64',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fec0::/10',
])

/**
 * Classifies an IP address without brackets. One that cannot be parsed, or names a network interface, is
 * forbidden.
 */
export function classifyAddress(address: string): AddressVerdict {
  if (isIPv4(address)) return classifyListed(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return 'forbidden'
  const own = classifyListed(address, 'ipv6')
  const inner = innerAddresses(toGroups(address)).map((ipv4) => classifyListed(ipv4, 'ipv4'))
  return worst([own, ...inner])
}

function classifyListed(address: string, family: 'ipv4' | 'ipv6'): AddressVerdict {
  if (FORBIDDEN.check(address, family)) return 'forbidden'
  return PRIVATE.check(address, family) ? 'private' : 'public'
}

const worst = (verdicts: readonly AddressVerdict[]): AddressVerdict => {
  if (verdicts.includes('forbidden')) return 'forbidden'
  return verdicts.includes('private') ? 'private' : 'public'
}

/**
 * Returns the IPv4 addresses in an IPv6 address, where a packet may arrive by way of this machine or a
 * gateway.
 */
function innerAddresses(groups: readonly number[]): string[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const startsWithZeros = (a | b | c | d) === 0
  if (startsWithZeros && (e | f | g) === 0 && h <= 1) return [] // :: and ::1 carry nothing
  const last = toIpv4(g, h)
  if (startsWithZeros && e === 0 && (f === 0 || f === 0xffff)) return [last] // compatible, mapped
  if (startsWithZeros && e === 0xffff && f === 0) return [last] // translated (RFC 2765)
  if (a === 0x64 && b === 0xff9b && (c | d | e | f) === 0) return [last] // NAT64
  if (a === 0x2002) return [toIpv4(b, c)] // 6to4
  if (a === 0x2001 && b === 0) return [toIpv4(c, d), toIpv4(g ^ 0xffff, h ^ 0xffff)] // Teredo: relay and client
  if ((e & 0xfdff) === 0 && f === 0x5efe) return [last] // ISATAP
  return []
}

const toIpv4 = (high: number, low: number): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}
