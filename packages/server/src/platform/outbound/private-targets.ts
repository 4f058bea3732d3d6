import { BlockList, isIP } from 'node:net'

/** The private addresses that deliveries may reach. Link-local and metadata addresses are always refused. */
export interface PrivateTargets {
  /** Returns whether the name, as in the URL, is allowed, whatever private address it resolves to. */
  allowsHost(name: string): boolean
  /** Returns whether the address, without brackets, is allowed. */
  allowsAddress(address: string): boolean
}

export const ALL_PRIVATE_TARGETS: PrivateTargets = { allowsHost: () => true, allowsAddress: () => true }

/**
 * Creates the rules from the settings BLOCK_PRIVATE_TARGETS and OUTBOUND_ALLOW: host names, addresses and
 * networks such as 10.0.0.0/8.
 */
export function createPrivateTargets({
  allow,
  areBlocked,
}: {
  readonly areBlocked: boolean
  readonly allow: readonly string[]
}): PrivateTargets {
  if (!areBlocked) return ALL_PRIVATE_TARGETS
  const names = new Set<string>()
  const networks = new BlockList()
  for (const entry of allow) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address)
    if (family === 0) names.add(entry.toLowerCase())
    else networks.addSubnet(address, Number(bits ?? (family === 4 ? 32 : 128)), nameOf(family))
  }
  return {
    allowsHost: (name) => names.has(name),
    allowsAddress: (address) => isIP(address) !== 0 && networks.check(address, nameOf(isIP(address))),
  }
}

const nameOf = (family: number): 'ipv4' | 'ipv6' => (family === 4 ? 'ipv4' : 'ipv6')
