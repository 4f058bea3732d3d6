import pg from 'pg'
import { type DatabaseConnection, toClientConfig } from '../db/database-connection.ts'
import type { Log } from '../log/log.ts'
import type { Bus } from './bus.ts'
import { createHintListeners } from './hint-listeners.ts'
import { createHintOutbox } from './hint-outbox.ts'
import { readHints, writeHints } from './hint-text.ts'
import { keepListening } from './keep-listening.ts'

const CHANNEL = 'burgee_hints'

/** The part of the pool that the bus uses. Hints are sent over any free connection. */
export type NotifyPool = Pick<pg.Pool, 'query'>

/**
 * Creates the bus over LISTEN/NOTIFY: one dedicated connection listens and is replaced when it breaks. The
 * hints of a burst are sent in one statement outside the write's transaction, because a commit with NOTIFY
 * takes a lock that the whole cluster shares.
 */
export function createPostgresBus(
  deps: { log: Log; pool: NotifyPool },
  input: { connection: DatabaseConnection },
): Bus {
  const listeners = createHintListeners(deps.log)
  const listening = keepListening({
    log: deps.log,
    channel: CHANNEL,
    createClient: () =>
      new pg.Client({ ...toClientConfig(input.connection), application_name: 'burgee hints' }),
    onPayload: (payload) => listeners.notify(readHints(payload)),
  })
  const outbox = createHintOutbox(async (hints) => {
    await deps.pool.query('select pg_notify($1, message) from unnest($2::text[]) as message', [
      CHANNEL,
      writeHints(hints),
    ])
  })
  return {
    publish: (hint) => outbox.add(hint),
    subscribe: (listener) => listeners.add(listener),
    async close() {
      await Promise.all([outbox.close(), listening.close()])
    },
  }
}
