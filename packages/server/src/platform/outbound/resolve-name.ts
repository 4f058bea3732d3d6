import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { createKeyedQueue } from '../concurrency/keyed-queue.ts'
import { errorCode } from '../log/error-code.ts'

/**
 * Resolves a host name to its addresses, at least one; rejects with an error that has a `code` when there is
 * none.
 */
export type ResolveName = (name: string) => Promise<readonly string[]>

/**
 * The number of concurrent look-ups by the system. Each occupies one of the process's four threads while a
 * name server does not respond, and files and password hashes need those too. So the system resolves only
 * names that need it: those of the hosts file, those without a dot, and those that the name server does not
 * know as they are (search domains).
 */
const SYSTEM_LANES = 2
const DNS_OPTIONS = { timeout: 2_000, tries: 2 }
const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/** The codes after which the system may know more: no such name, no such record, or no name server. */
const UNKNOWN_CODES = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME', 'ENONAME']

export function createNameResolver(): ResolveName {
  const resolver = new Resolver(DNS_OPTIONS)
  const lanes = createKeyedQueue()
  let turns = 0
  const askSystem = async (name: string): Promise<readonly string[]> => {
    turns += 1
    const found = await lanes.run(String(turns % SYSTEM_LANES), () => lookup(name, { all: true }))
    return found.map(({ address }) => address)
  }
  return async (name) => {
    if (!name.includes('.') || (await isInHostsFile(name))) return askSystem(name)
    const found = await askNameServer(resolver, name)
    return found.length > 0 ? found : askSystem(name)
  }
}

/** Queries the name servers. Empty when the name does not exist; rejects when they do not respond. */
async function askNameServer(resolver: Resolver, name: string): Promise<string[]> {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [ipv4, ipv6].flatMap((part) => (part.status === 'fulfilled' ? part.value : []))
  if (found.length > 0) return found
  for (const part of [ipv4, ipv6]) {
    if (part.status === 'rejected' && !UNKNOWN_CODES.includes(errorCode(part.reason) ?? '')) throw part.reason
  }
  return []
}

async function isInHostsFile(name: string): Promise<boolean> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase())
  return lines.some((line) => line.split(/\s+/).slice(1).includes(name))
}
