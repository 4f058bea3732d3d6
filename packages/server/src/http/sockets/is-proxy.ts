import { BlockList, isIP } from 'node:net'
import { type TrustProxy, toClientAddress } from '../../platform/client-address.ts'

/**
 * Creates a function that returns whether the peer at an address is a proxy according to `TRUST_PROXY`, whose
 * clients share its address.
 */
export function createIsProxy(trustProxy: TrustProxy): (address: string) => boolean {
  if (!Array.isArray(trustProxy)) return () => trustProxy !== false
  const proxies = new BlockList()
  for (const entry of trustProxy) {
    const [address = '', bits] = entry.split('/')
    if (bits === undefined) proxies.addAddress(address, familyOf(address))
    else proxies.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => {
    const plain = toClientAddress(address)
    return plain !== null && proxies.check(plain, familyOf(plain))
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
