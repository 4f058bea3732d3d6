import { open, readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { endianness } from 'node:os'
import { errorCode } from '../../platform/log/error-code.ts'

/** The TCP connections of this process's network namespace, over IPv4 and IPv6 (Linux, proc_pid_net(5)). */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
/** The counters of the same namespace. */
const COUNTERS = '/proc/self/net/netstat'
const SLICE_BYTES = 16 * 1024
/**
 * The local port, the remote address and the remote port of an established connection with retransmissions
 * since its last acknowledgment.
 */
const UNANSWERED =
  /^ *\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]{8}|[\dA-F]{32}):([\dA-F]{4}) 01 \S+ \S+ (?!0{8})[\dA-F]{8} /
/** The characters of a row from the end of its number to the retransmissions, without both addresses. */
const BEFORE_RETRANSMITS = 2 + ':0BB8 '.length + ':857C '.length + '01 00000000:00000000 01:00000000 '.length
const COLON = 0x3a
const LINE_END = 0x0a
const SPACE = 0x20
const ZERO = 0x30
const IPV4_MAPPED = /^::ffff:/

/**
 * Returns the number of times that the kernel has waited in vain for an acknowledgment, on any connection;
 * null where the system has no such counter.
 */
export async function readTimeouts(counters: string = COUNTERS): Promise<string | null> {
  const text = await readFile(counters, 'latin1').catch(() => '')
  const rows = text.split('\n').filter((row) => row.startsWith('TcpExt:'))
  const [names, values] = rows.map((row) => row.split(' '))
  return values?.[names?.indexOf('TCPTimeouts') ?? -1] ?? null
}

/** Returns what identifies the connection of a socket: the remote address and port, and the local port. */
export function peerOf({ localPort, remoteAddress, remotePort }: Socket): string | null {
  if (remoteAddress === undefined) return null
  const address = remoteAddress.replace(IPV4_MAPPED, '').replace(/%.*/, '')
  return `${address.includes(':') ? shortest(address) : address} ${remotePort} ${localPort}`
}

/**
 * Reads the connections whose kernel sends bytes again because the other side does not acknowledge them, as
 * `peerOf` names them. None where the system has no such tables; null where a table cannot be read now. Only
 * their rows become texts: a table has a
 * row for each connection of the machine.
 */
export async function readUnansweredPeers(tables: readonly string[] = TABLES): Promise<Set<string> | null> {
  const peers = new Set<string>()
  for (const table of tables) {
    try {
      await readRows(table, (slice, start, end) => {
        if (!mayBeUnanswered(slice, start)) return
        const [, localPort, address, remotePort] = UNANSWERED.exec(slice.toString('latin1', start, end)) ?? []
        if (localPort && address && remotePort)
          peers.add(
            `${addressOf(address)} ${Number.parseInt(remotePort, 16)} ${Number.parseInt(localPort, 16)}`,
          )
      })
    } catch (error) {
      // Another system than Linux, or one without IPv6, has no such file.
      if (errorCode(error) !== 'ENOENT') return null
    }
  }
  return peers
}

/** Calls `onRow` with the place of each whole row of a file, slice by slice of the same memory. */
async function readRows(
  path: string,
  onRow: (slice: Buffer, start: number, end: number) => void,
): Promise<void> {
  const file = await open(path)
  try {
    const slice = Buffer.allocUnsafe(SLICE_BYTES)
    let kept = 0
    for (;;) {
      const { bytesRead } = await file.read(slice, kept, SLICE_BYTES - kept)
      if (bytesRead === 0) return
      const filled = slice.subarray(0, kept + bytesRead)
      let start = 0
      for (let end = filled.indexOf(LINE_END); end !== -1; end = filled.indexOf(LINE_END, start)) {
        onRow(filled, start, end)
        start = end + 1
      }
      kept = filled.copy(slice, 0, start)
    }
  } finally {
    await file.close()
  }
}

/** Tests the retransmissions of a row in their place, behind two addresses of 8 or 32 digits. */
function mayBeUnanswered(slice: Buffer, start: number): boolean {
  const number = slice.indexOf(COLON, start)
  const digits = slice.indexOf(COLON, number + 1) - number - 2
  const at = number + BEFORE_RETRANSMITS + 2 * digits
  for (let digit = at; digit < at + 8; digit++) if (slice[digit] !== ZERO) return true
  return slice[at - 1] !== SPACE
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
