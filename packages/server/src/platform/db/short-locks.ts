import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { errorCode } from '../log/error-code.ts'
import type { Log } from '../log/log.ts'
import { isLockConflict } from './database-unavailable.ts'
import type { Database } from './tables.ts'

/**
 * Locks on tables that a running instance uses. While a transaction waits for such a lock, every request that
 * needs the table waits behind it. So it waits for a moment only, gives up everything that it holds, and lets
 * the requests through before it tries again.
 */

/** The wait for one lock. */
const LOCK_TIMEOUT_MS = 250
/** The time to take the locks of all tables. */
const ALL_LOCKS_MS = 1_000
/** The shortest and the longest pause before the next try, in which waiting requests go on. */
const PAUSE_MS = { least: 250, most: 750 }
/** The time after which the work is given up. */
const PATIENCE_MS = 5 * 60_000
/** The time between two lines of the log about one wait. */
const LOG_EVERY_MS = 10_000
/** The time between two tries of the lock that another instance holds for its own work. */
const TURN_POLL_MS = 500

export interface LockDeps {
  readonly log: Log
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal
  /** Returns a number from 0 to less than 1. */
  readonly random?: () => number
  /** The time after which the work is given up; 5 minutes unless given. */
  readonly patienceMs?: number
}

/** Thrown when locks were not free for too long. Nothing was changed. */
export class LocksNotFree extends Error {
  constructor(work: string, patienceMs: number, cause: unknown) {
    super(
      `${work} did not get its locks within ${Math.ceil(patienceMs / 1_000)} s, because other sessions of the database ` +
        'hold them (a backup, a report, a transaction left open). Nothing was changed: end those sessions, and start again',
      { cause },
    )
    this.name = 'LocksNotFree'
  }
}

/** Thrown by `lockTables` when it took too long for all tables together. */
export class LocksLate extends Error {}

/**
 * Runs work that takes locks with `lockTables` or `limitLockWaits`, and again while they are not free. The
 * work rolls back all that it did when it fails. Throws `LocksNotFree` after 5 minutes.
 */
export async function retryLocks<T>(
  { log, patienceMs = PATIENCE_MS, random = Math.random, signal }: LockDeps,
  work: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const startedMs = performance.now()
  let loggedMs = Number.NEGATIVE_INFINITY
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLockConflict(error) && !(error instanceof LocksLate)) throw error
      const now = performance.now()
      if (now - startedMs >= patienceMs) throw new LocksNotFree(work, patienceMs, error)
      if (now - loggedMs >= LOG_EVERY_MS) {
        loggedMs = now
        logWait(log, work, startedMs)
      }
    }
    await delay(PAUSE_MS.least + random() * (PAUSE_MS.most - PAUSE_MS.least), undefined, { signal })
  }
}

function logWait(log: Log, work: string, startedMs: number): void {
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  log.info({ work, seconds }, 'waits for a lock that another instance holds')
}

/** Lets every later statement of the transaction fail where it would wait longer for a lock. */
export async function limitLockWaits(tx: Transaction<Database>, ms = LOCK_TIMEOUT_MS): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${ms}ms`}, true)`.execute(tx)
}

/**
 * Locks those of the tables that exist, alone and in the order of their names, so that two transactions never
 * deadlock. Later statements of the transaction do not wait for locks either.
 */
export async function lockTables(tx: Transaction<Database>, names: Iterable<string>): Promise<void> {
  await limitLockWaits(tx)
  const tables = await findTables(tx, [...new Set(names)])
  if (tables.length === 0) return
  await sql`select set_config('statement_timeout', ${`${ALL_LOCKS_MS}ms`}, true)`.execute(tx)
  const list = sql.join(tables.map((name) => sql.table(name)))
  await sql`lock table ${list} in access exclusive mode`.execute(tx).catch((cause: unknown) => {
    throw isStatementTimeout(cause) ? new LocksLate('locks were not free in time', { cause }) : cause
  })
  // What follows may take longer: it holds all that it needs.
  await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
}

async function findTables(tx: Transaction<Database>, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as name where to_regclass(quote_ident(name)) is not null
  `.execute(tx)
  return rows.map(({ name }) => name).sort()
}

const isStatementTimeout = (error: unknown): boolean => errorCode(error) === '57014'

/**
 * Runs the work on a connection that holds the advisory lock, which one instance has at a time. The others
 * wait without a running statement, which would hold a snapshot, and do not use the pauses of the one for
 * tries of their own.
 */
export async function holdAlone<T>(
  db: Kysely<Database>,
  lock: number | bigint,
  { log, signal }: LockDeps,
  name: string,
  work: (connection: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    const startedMs = performance.now()
    let loggedMs = startedMs
    while (!(await tryLock(connection, lock))) {
      if (performance.now() - loggedMs >= LOG_EVERY_MS) {
        loggedMs = performance.now()
        logWait(log, name, startedMs)
      }
      await delay(TURN_POLL_MS, undefined, { signal })
    }
    // A connection that broke has lost the lock, and the error of the work states more.
    return work(connection).finally(() => unlock(connection, lock).catch(() => undefined))
  })
}

async function tryLock(connection: Kysely<Database>, lock: number | bigint): Promise<boolean> {
  const { rows } = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_lock(${lock}::bigint) as is_mine`.execute(connection)
  return rows[0]?.is_mine === true
}

const unlock = (connection: Kysely<Database>, lock: number | bigint) =>
  sql`select pg_advisory_unlock(${lock}::bigint)`.execute(connection)
