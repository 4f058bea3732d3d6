import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { BrokenOff } from './broken-off.ts'
import type { ConnectToTarget } from './connect-to-target.ts'

const HEADERS_MAX_BYTES = 16 * 1024

/** Nothing is unpacked, whatever comes back: what is small on the wire stays small. */
const OWN_HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'Burgee' }

export interface Letter {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface Exchange {
  /** The response, once its headers have come. Provisional ones (1xx), which nobody asked for, are skipped. */
  readonly response: Promise<IncomingMessage>
  /** The IP address that it is connected to; empty before. */
  remoteAddress(): string
  /** Ends it at any stage and leaves no socket behind. */
  end(): void
}

/**
 * Posts with a connection of its own. Node's client is used because it accepts a `100 Continue` without `Expect`: a receiver
 * behind a proxy that sends one could never be delivered to otherwise.
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
    // A socket that has closed no longer knows it.
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
      // An error comes without a socket, though the type asks for one.
      connect(onSocket)(target, onConnected as Parameters<ConnectToTarget>[1])
      // It is handed over when it is connected: until then nothing is written to it.
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

/** An IPv6 address as sockets take it. */
const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
