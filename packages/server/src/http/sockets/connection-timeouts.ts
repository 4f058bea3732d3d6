import type { ServerOptions } from 'node:http'

/** The time for a request head, which takes a few packets. Silent connections end after it, too. */
const HEADERS_TIMEOUT_MS = 15_000
/** The interval at which Node checks for late requests, and the number of checks within their timeout. */
const CHECK_MS = 5_000
const CHECKS = 3
/** The time between two requests. It exceeds the usual 60 s of load balancers, which must close first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
const MS_PER_SECOND = 1_000

/** Returns the options of the framework and of Node's server that end inactive connections. */
export function connectionTimeouts(requestTimeoutSeconds: number) {
  const requestTimeout = requestTimeoutSeconds * MS_PER_SECOND
  const http: ServerOptions = {
    requestTimeout,
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeout),
    connectionsCheckingInterval: Math.min(CHECK_MS, Math.floor(requestTimeout / CHECKS)),
    // `findHostProblem` checks it instead: it explains the problem, and also finds duplicates.
    requireHostHeader: false,
  }
  return {
    http,
    requestTimeout,
    // The time without any traffic: a caller that does not read its response is dropped.
    connectionTimeout: 2 * requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  }
}
