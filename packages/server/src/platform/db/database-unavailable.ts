import { errorCode } from '../log/error-code.ts'

/**
 * Thrown when there is no connection to the database, or not in time. `cause` has the reason; callers respond
 * with 503 and `Retry-After`.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is not available', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/**
 * Error codes that mean "try again later" and do not depend on the statement. Codes of name look-ups and
 * files have other sources too and are left out.
 */
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25P03', // idle in transaction too long
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // waited too long for a lock
  '57014', // took too long
])

/**
 * SQLSTATE classes: connection (08), insufficient resources (53), shutdown or crash of PostgreSQL (57P01 to
 * 57P05).
 */
const UNAVAILABLE_CLASSES = /^(08[0-9A-Z]{3}|53[0-9A-Z]{3}|57P0[1-5])$/

/**
 * SQLSTATE when the connection works but nothing can be stored: a read-only transaction (a standby, or set by
 * an operator), a full disk, an I/O error.
 */
const NOT_WRITABLE_CODES = new Set(['25006', '53100', '58030'])

/**
 * SQLSTATE when another transaction was in the way: a deadlock, or a lock that was not free in time. Such
 * work succeeds when it runs again.
 */
const LOCK_CODES = new Set(['40P01', '55P03'])

/**
 * Codes after which the session goes on: PostgreSQL gave up a statement, and has responded. The connection
 * can be used again after a rollback.
 */
const SESSION_GOES_ON = new Set([...LOCK_CODES, '40001', '57014'])

/**
 * Messages of driver errors without a code: a connection that broke or timed out during a query, and an
 * exhausted pool.
 */
const CODELESS_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Cannot use a pool after calling end on the pool',
]

/** Returns whether the database was unavailable or overloaded, rather than the statement wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  if (isOutdatedPlan(error)) return true
  const code = errorCode(error)
  if (code !== null) {
    return UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.test(code) || isDatabaseNotWritable(error)
  }
  return error instanceof Error && CODELESS_MESSAGES.some((message) => error.message.startsWith(message))
}

/**
 * Returns whether the database responds but cannot store anything: it is read-only, or its disk is full or
 * broken.
 */
export function isDatabaseNotWritable(error: unknown): boolean {
  const code = errorCode(error)
  return code !== null && NOT_WRITABLE_CODES.has(code)
}

/** Returns whether another transaction was in the way. */
export function isLockConflict(error: unknown): boolean {
  const code = errorCode(error)
  return code !== null && LOCK_CODES.has(code)
}

/** Returns whether the connection on which a statement failed is not to be used again. */
export function endsConnection(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== null && SESSION_GOES_ON.has(code)) return false
  return isDatabaseUnavailable(error) && !isDatabaseNotWritable(error)
}

/**
 * Returns whether a prepared statement returns other columns than when it was prepared: a newer server has
 * migrated the tables meanwhile. A new connection prepares it again.
 */
const isOutdatedPlan = (error: unknown): boolean =>
  errorCode(error) === '0A000' &&
  error instanceof Error &&
  'routine' in error &&
  error.routine === 'RevalidateCachedQuery'
