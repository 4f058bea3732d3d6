import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection of the HTTP server, from accepting it until its socket is closed. */
export interface OpenConnection {
  readonly socket: Socket
  /** True beyond the ordinary connections: only health, readiness and metrics are served. */
  readonly isReserve: boolean
  /** The address that it counts for; null when the caller is a proxy. */
  readonly address: string | null
  openRequests: number
  lastRequest: IncomingMessage | null
  lastResponse: ServerResponse | null
  /** True when a stream owns the socket. */
  isTaken: boolean
  /** The code of the parser's error, which is reported after the responses to earlier requests. */
  failureCode: string | null
  /** The number of consecutive sweeps with a complete response that the caller has not read. */
  stuckSweeps: number
  /** Responses that wait for those to earlier requests of the connection; null when none ever waited. */
  queued: Set<ServerResponse> | null
  /** Behind a proxy, the clients of open requests. */
  forwarded: Map<ServerResponse, ForwardedRequest> | null
  /** Behind a proxy, the client of the stream that owns the socket. */
  taker: ForwardedRequest | null
  /**
   * True once a request on it has carried an accepted credential. Clients share the connection of a proxy, so
   * there it is for the last request only.
   */
  isAccepted: boolean
}

/** An open request that a proxy has forwarded. */
export interface ForwardedRequest {
  readonly address: string
  /** True once its credential was accepted. */
  isAccepted: boolean
}

/** Creates a connection without a request. */
export const newConnection = (
  socket: Socket,
  address: string | null,
  isReserve: boolean,
): OpenConnection => ({
  socket,
  address,
  isReserve,
  openRequests: 0,
  lastRequest: null,
  lastResponse: null,
  isTaken: false,
  failureCode: null,
  stuckSweeps: 0,
  queued: null,
  forwarded: null,
  taker: null,
  isAccepted: false,
})
