import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { BrokenOff } from './broken-off.ts'
import type { ConnectToTarget } from './connect-to-target.ts'

const HEADERS_MAX_BYTES = 16 * 1024

/** The request accepts no compression, so that a small response stays small in memory. */
const OWN_HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'Burgee' }

export interface Letter {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface Exchange {
  /** Resolves with the response when its headers have arrived. Provisional responses (1xx) are skipped. */
  readonly response: Promise<IncomingMessage>
  /** The IP address of the receiver; empty before the connection is open. */
  remoteAddress(): string
  /** Ends the request at any stage and closes its socket. */
  end(): void
}

/**
 * Sends a POST request on a connection of its own. Uses Node's HTTP client because it accepts a `100
 * Continue` without `Expect`, which some proxies in front of receivers send.
 */
export function startExchange(
  { origin: _origin, host, hostname, pathname, port, protocol, search }: URL,
  { body, headers }: Letter,
  connect: (onSocket: (socket: Socket) => void) => ConnectToTarget,
): Exchange {
  let socket: Socket | undefined
  let address = ''
  const onSocket = (opened: Socket): void => {
    socket = opened
    // A closed socket has no remote address any more.
    opened.once('connect', () => {
      address = opened.remoteAddress ?? ''
    })
  }
  const sent = request({
    method: 'POST',
    path: `${pathname}${search}`,
    setHost: false,
    headers: { ...OWN_HEADERS, ...headers, host },
    maxHeaderSize: HEADERS_MAX_BYTES,
    createConnection: (_options, onConnected) => {
      const target = { hostname: withoutBrackets(hostname), port, protocol }
      // With an error there is no socket, although the type requires one.
      connect(onSocket)(target, onConnected as Parameters<ConnectToTarget>[1])
      // The socket is passed on when it is connected; nothing is written to it before.
      return undefined
    },
  })
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.on('error', reject)
    sent.once('upgrade', (_response, upgraded: Socket) => {
      upgraded.destroy()
      reject(new BrokenOff())
    })
    sent.once('close', () => reject(new BrokenOff()))
  })
  sent.end(body)
  return {
    response,
    remoteAddress: () => address,
    end() {
      sent.destroy()
      socket?.destroy()
    },
  }
}

/** Returns an IPv6 address without brackets, as sockets expect it. */
const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
