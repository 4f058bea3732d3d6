import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { DatabaseUnavailable, endsConnection } from './database-unavailable.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

/**
 * Wraps the pool for Kysely: repeated statements with parameters run as named prepared statements, which
 * saves parsing and planning, and every failure to get a connection becomes `DatabaseUnavailable`. `onError`
 * receives the error of every failed statement.
 */
export function preparingPool(pool: pg.Pool, onError: (error: unknown) => void): PostgresPool {
  const names = createStatementNames()
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect().catch((cause: unknown) => {
        throw new DatabaseUnavailable(cause)
      })
      const known = clients.get(client) ?? preparingClient(client, names, onError)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}

function preparingClient(
  client: pg.PoolClient,
  names: StatementNames,
  onError: (error: unknown) => void,
): PostgresPoolClient {
  let broken = false
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not supported')
    // After a statement without a response, the `rollback` of its transaction would wait as long again.
    if (broken) return Promise.reject(new DatabaseUnavailable('the connection is broken'))
    // Without values the driver uses the simple protocol, which `begin` and migrations with several
    // statements need.
    const name = values.length === 0 ? null : names.nameOf(text)
    gatherWrites(client)
    const running = client.query(
      name === null ? { text, values: [...values] } : { name, text, values: [...values] },
    )
    return running.catch((error: unknown) => {
      onError(error)
      broken ||= endsConnection(error)
      throw error
    })
  }
  // PostgreSQL announces that it closes a connection, and the pool must not lend it to the next caller.
  return { query, release: () => client.release(broken) }
}

/** Sends the statements of one turn together: each would otherwise be a system call, and wake PostgreSQL. */
function gatherWrites(client: pg.PoolClient): void {
  // The clients of the pool are of this class, and its types name only what every client has.
  const { stream } = (client as pg.PoolClient & pg.Client).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}
