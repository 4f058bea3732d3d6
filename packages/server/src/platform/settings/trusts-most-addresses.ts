import { isIP } from 'node:net'
import { toGroups } from '../outbound/to-groups.ts'

/** A range of addresses, as numbers. */
interface Range {
  readonly first: bigint
  readonly last: bigint
}

/** The public addresses of a family: all of IPv4, and 2000::/3 of IPv6 (RFC 4291, section 2.4). */
const PUBLIC: Readonly<Record<4 | 6, Range>> = {
  4: { first: 0n, last: 2n ** 32n - 1n },
  6: { first: 1n << 125n, last: (1n << 126n) - 1n },
}
const MAPPED_BITS = 96
const MAPPED_PREFIX = 0xffffn

/**
 * Returns whether trusted addresses and networks hold half or more of all public addresses of IPv4 or IPv6,
 * such as 0.0.0.0/1 and 128.0.0.0/1: then a client is trusted to name its own address.
 */
export function trustsMostAddresses(trustProxy: boolean | number | readonly string[]): boolean {
  if (typeof trustProxy !== 'object') return false
  const ranges = trustProxy.map(toRange)
  return ([4, 6] as const).some((family) => {
    const { first, last } = PUBLIC[family]
    const own = ranges.filter((range) => range.family === family)
    return sizeWithin(own, PUBLIC[family]) * 2n >= last - first + 1n
  })
}

/** Reads an address or a network. IPv6 networks of mapped IPv4 addresses are those of IPv4. */
function toRange(entry: string): Range & { readonly family: 4 | 6 } {
  const [zoned = '', given] = entry.split('/')
  const [address = ''] = zoned.split('%')
  if (isIP(address) === 4) {
    const value = address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
    return { family: 4, ...network(value, Number(given ?? 32), 32) }
  }
  const value = toGroups(address).reduce((sum, group) => sum * 65_536n + BigInt(group), 0n)
  const bits = Number(given ?? 128)
  return value >> 32n === MAPPED_PREFIX && bits >= MAPPED_BITS
    ? { family: 4, ...network(value & (2n ** 32n - 1n), bits - MAPPED_BITS, 32) }
    : { family: 6, ...network(value, bits, 128) }
}

function network(address: bigint, bits: number, width: number): Range {
  const size = 1n << BigInt(width - bits)
  const first = (address / size) * size
  return { first, last: first + size - 1n }
}

/** Returns how many addresses of a range several ranges hold together. */
function sizeWithin(ranges: readonly Range[], { first, last }: Range): bigint {
  let next = first
  let size = 0n
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const from = range.first > next ? range.first : next
    const to = range.last < last ? range.last : last
    if (to < from) continue
    size += to - from + 1n
    next = to + 1n
  }
  return size
}
