import { errorCode } from '../error-code.ts'

/** No connection to the database could be had, or not in time. `cause` says why; callers answer 503 with `Retry-After`. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is not available', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** Codes that say "not now, try again" and nothing about the statement. Those of name lookup and files are left out: they have other sources too. */
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25P03', // idle in transaction too long
  '40001', // serialisation failure
  '40P01', // deadlock
  '55P03', // waited too long for a lock
  '57014', // took too long
  '53300', // too many connections
  '57P01', // administrator's shutdown
  '57P02', // crash of another session
  '57P03', // starting up or shutting down
  '57P05', // idle too long
])

/** SQLSTATE class 08: the connection itself. */
const CONNECTION_EXCEPTION = /^08[0-9A-Z]{3}$/

/** The driver gives these no code: a connection that broke or went silent under a query, and a pool that had none to give. */
const CODELESS_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Cannot use a pool after calling end on the pool',
]

/** Whether the database was away or overloaded, rather than the statement wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  const code = errorCode(error)
  if (code !== null) return UNAVAILABLE_CODES.has(code) || CONNECTION_EXCEPTION.test(code)
  return error instanceof Error && CODELESS_MESSAGES.some((message) => error.message.startsWith(message))
}
