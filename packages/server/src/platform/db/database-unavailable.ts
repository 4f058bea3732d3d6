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
])

/** SQLSTATE: the connection itself (class 08), resources that ran out (class 53), a shutdown or a crash of PostgreSQL (57P01 to 57P05). */
const UNAVAILABLE_CLASSES = /^(08[0-9A-Z]{3}|53[0-9A-Z]{3}|57P0[1-5])$/

/** The connection works, and nothing can be stored: a read-only transaction (a standby, or set by an operator), a full disk, an I/O error. */
const NOT_WRITABLE_CODES = new Set(['25006', '53100', '58030'])

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
  if (code !== null) {
    return UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.test(code) || isDatabaseNotWritable(error)
  }
  return error instanceof Error && CODELESS_MESSAGES.some((message) => error.message.startsWith(message))
}

/** Whether the database answers and can store nothing: it is read-only, or its disk is full or broken. */
export function isDatabaseNotWritable(error: unknown): boolean {
  const code = errorCode(error)
  return code !== null && NOT_WRITABLE_CODES.has(code)
}
