import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { DatabaseUnavailable, isDatabaseNotWritable, isDatabaseUnavailable } from './database-unavailable.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

/**
 * The pool as Kysely sees it: repeated statements with parameters run as named prepared statements, which saves PostgreSQL from
 * parsing and planning them again, and whatever keeps a connection from being had is `DatabaseUnavailable`. `onError` gets the error of every statement that failed.
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
    // Behind a statement that got no answer, the `rollback` of its transaction would wait as long again.
    if (broken) return Promise.reject(new DatabaseUnavailable('the connection is broken'))
    // Without values the driver takes the simple protocol, which `begin` and migrations of many statements need.
    const name = values.length === 0 ? null : names.nameOf(text)
    const running = client.query(
      name === null ? { text, values: [...values] } : { name, text, values: [...values] },
    )
    return running.catch((error: unknown) => {
      onError(error)
      broken ||= isDatabaseUnavailable(error) && !isDatabaseNotWritable(error)
      throw error
    })
  }
  // PostgreSQL says that it cuts a connection before it does, so the pool would lend a dying one to the next caller.
  return { query, release: () => client.release(broken) }
}
