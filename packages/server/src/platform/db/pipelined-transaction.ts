import {
  CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  type Kysely,
  PostgresDialect,
  type QueryResult,
  Transaction,
} from 'kysely'
import { errorCode } from '../log/error-code.ts'
import type { Database } from './tables.ts'

const BEGIN = CompiledQuery.raw('begin')
const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

/** SQLSTATE of a statement after one that failed in the same transaction. */
const IN_FAILED_TRANSACTION = '25P02'

/** The properties of a transaction of Kysely that it carries beside its executor, and does not use. */
const UNUSED = (() => {
  const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('there is no pool here')) })
  return { dialect, driver: new DummyDriver(), config: { dialect } }
})()

/**
 * Runs work in a transaction whose statements are sent at once, in the order of their calls: one that does
 * not await the statement before costs no round trip of its own. `begin` travels with the first statement and
 * `commit` with those that the work has left unawaited.
 *
 * Once any statement fails PostgreSQL refuses all later ones and rolls back at the commit. The error of that
 * statement is thrown, whether or not the work awaited it. What the work does not await it gives to `leave`:
 * a failure before the statement was sent, which PostgreSQL does not see, rolls back as well. Statements that
 * are sent before one was awaited must only read: they would be outside of a transaction where `begin` fails.
 */
export async function pipelinedTransaction<T>(
  db: Kysely<Database>,
  work: (tx: Transaction<Database>, leave: Leave) => Promise<T>,
): Promise<T> {
  const executor = db.getExecutor()
  return executor.provideConnection(async (connection) => {
    const pipeline = createPipeline(connection)
    const provider = {
      provideConnection: <R>(use: (connection: DatabaseConnection) => Promise<R>) => use(pipeline.connection),
    }
    const tx = new Transaction<Database>({ ...UNUSED, executor: executor.withConnectionProvider(provider) })
    try {
      const result = await work(tx, pipeline.leave)
      await pipeline.commit()
      return result
    } catch (error) {
      await pipeline.rollBack()
      throw error
    }
  })
}

/** Leaves a statement unawaited until the commit. */
export type Leave = (statement: Promise<unknown>) => void

/** Wraps a connection for one transaction: tracks what was sent, and the first failure. */
function createPipeline(connection: DatabaseConnection) {
  const sent = new Set<Promise<unknown>>()
  const left: Promise<unknown>[] = []
  let isOpen = false
  let failure: { readonly error: unknown } | undefined
  let hasEnded = false

  function refuseFailed(): void {
    if (failure) throw failure.error
  }

  function send<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const running = connection.executeQuery<R>(query).catch((error: unknown) => {
      failure ??= { error }
      throw errorCode(error) === IN_FAILED_TRANSACTION ? failure.error : error
    })
    const settled = running.then(ignore, ignore).then(() => void sent.delete(settled))
    sent.add(settled)
    return running
  }

  async function executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (hasEnded) throw new Error('the transaction has ended')
    if (isOpen) return send<R>(query)
    isOpen = true
    const [, first] = await Promise.all([send(BEGIN), send<R>(query)])
    return first
  }

  return {
    connection: {
      executeQuery,
      streamQuery: () => {
        throw new TypeError('rows are not streamed in a pipelined transaction')
      },
    },
    leave(statement: Promise<unknown>) {
      const settled = statement.then(ignore, (error: unknown) => {
        failure ??= { error }
      })
      left.push(settled)
    },
    async commit() {
      // What failed before it was sent is known by now: its rejection is handled first.
      await Promise.resolve()
      refuseFailed()
      hasEnded = true
      if (!isOpen) return
      const committing = send(COMMIT)
      await Promise.all(sent)
      isOpen = false
      await Promise.all(left)
      refuseFailed()
      await committing
    },
    /** Does nothing after a commit, which has rolled back where it failed. */
    async rollBack() {
      hasEnded = true
      await Promise.all([...sent, ...left])
      if (isOpen) await connection.executeQuery(ROLLBACK).catch(ignore)
    },
  }
}

const ignore = () => undefined
