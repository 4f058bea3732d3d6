import { createReadStream } from 'node:fs'
import type { Socket } from 'node:net'
import { endianness } from 'node:os'

/** The TCP connections of this process's network namespace, over IPv4 and IPv6 (Linux, proc_pid_net(5)). */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
/**
 * The local port, the remote address and the remote port of an established connection with retransmissions
 * since its last acknowledgement.
 */
const UNANSWERED =
  /^ *\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]{8}|[\dA-F]{32}):([\dA-F]{4}) 01 \S+ \S+ (?!0{8})[\dA-F]{8} /gm
const IPV4_MAPPED = /^::ffff:/

/** Returns what identifies the connection of a socket: the remote address and port, and the local port. */
export function peerOf({ localPort, remoteAddress, remotePort }: Socket): string | null {
  if (remoteAddress === undefined) return null
  const address = remoteAddress.replace(IPV4_MAPPED, '').replace(/%.*/, '')
  return `${address.includes(':') ? shortest(address) : address} ${remotePort} ${localPort}`
}

/**
 * Reads the connections whose kernel sends bytes again because the other side does not acknowledge them, as
 * `peerOf` names them. None where the system has no such tables.
 */
export async function readUnansweredPeers(tables: readonly string[] = TABLES): Promise<Set<string>> {
  const peers = new Set<string>()
  for (const table of tables) {
    let rest = ''
    try {
      for await (const piece of createReadStream(table, 'latin1')) {
        const text = rest + piece
        const end = text.lastIndexOf('\n') + 1
        rest = text.slice(end)
        for (const peer of unansweredIn(text.slice(0, end))) peers.add(peer)
      }
    } catch {
      // Another system than Linux, or one without IPv6.
    }
  }
  return peers
}

function unansweredIn(rows: string): string[] {
  return [...rows.matchAll(UNANSWERED)].map(([, localPort = '', address = '', remotePort = '']) =>
    [addressOf(address), Number.parseInt(remotePort, 16), Number.parseInt(localPort, 16)].join(' '),
  )
}

/**
 * Returns the usual text of an address. The tables have it as words of four bytes in the byte order of the
 * machine.
 */
function addressOf(hex: string): string {
  const words = hex.match(/.{8}/g) ?? []
  const bytes = words.flatMap((word) => {
    const inOrder = [...Buffer.from(word, 'hex')]
    return endianness() === 'LE' ? inOrder.reverse() : inOrder
  })
  const ipv4 = bytes.slice(-4).join('.')
  const prefix = Buffer.from(bytes.slice(0, -4)).toString('hex')
  if (prefix === '' || prefix === `${'0'.repeat(20)}ffff`) return ipv4
  return shortest(Buffer.from(bytes).toString('hex').match(/.{4}/g)?.join(':') ?? '')
}

/** Returns the one text that a URL has for an IPv6 address (WHATWG URL, "IPv6 serializer"). */
const shortest = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)
