import type { ServerOptions } from 'node:http'

/** A head comes in one packet or a few; silent connections end after this time, too. */
const HEADERS_TIMEOUT_MS = 15_000
/** How often Node looks for late requests at most, and how many times within the time that they have. */
const CHECK_MS = 5_000
const CHECKS = 3
/** Between two requests. Above the usual 60 s of load balancers, which must be the first to close. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
const MS_PER_SECOND = 1_000

/** The options of the framework and of Node's server that end connections which do nothing, or hardly anything. */
export function connectionTimeouts(requestTimeoutSeconds: number) {
  const requestTimeout = requestTimeoutSeconds * MS_PER_SECOND
  const http: ServerOptions = {
    requestTimeout,
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeout),
    connectionsCheckingInterval: Math.min(CHECK_MS, Math.floor(requestTimeout / CHECKS)),
    // `findHostProblem` checks it: it explains what is wrong, and finds two of them as well.
    requireHostHeader: false,
  }
  return {
    http,
    requestTimeout,
    // Nothing moves on the connection: a caller that does not take its answer is waited for no longer.
    connectionTimeout: 2 * requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  }
}
