import pg from 'pg'
import { monotonicMs } from './monotonic-ms.mjs'

const MS_PER_SECOND = 1000
const STATE = JSON.stringify({ key: 'flag', is_enabled: true, rules: 'x'.repeat(300) }).padEnd(350)
const STATEMENTS = {
  lock: 'select state from bare where id = $1 for update',
  update: 'update bare set state = $2 where id = $1',
  insert: 'insert into bare_log (state) values ($1)',
}

/**
 * Opens connections that do the least that a durable write can be: lock a row, update it, insert another and
 * commit, each statement named. `measure` returns the transactions of all connections a second.
 */
export async function openBareStatements(connectionString, connections) {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString }))
  await Promise.all(clients.map((client) => client.connect()))
  await clients[0].query(`create table if not exists bare (id integer primary key, state jsonb not null);
    create table if not exists bare_log (id bigint generated always as identity primary key, state jsonb not null)`)
  for (const id of clients.keys())
    await clients[0].query('insert into bare values ($1, $2) on conflict do nothing', [id, STATE])
  return {
    async measure(ms) {
      const startedAt = monotonicMs()
      let count = 0
      await Promise.all(
        clients.map(async (client, id) => {
          for (; monotonicMs() - startedAt < ms; count++) await writeOnce(client, id)
        }),
      )
      return (count / (monotonicMs() - startedAt)) * MS_PER_SECOND
    },
    close: () => Promise.all(clients.map((client) => client.end())),
  }
}

async function writeOnce(client, id) {
  const ask = (name, ...values) => client.query({ name, text: STATEMENTS[name], values })
  await client.query('begin')
  await ask('lock', id)
  await ask('update', id, STATE)
  await ask('insert', STATE)
  await client.query('commit')
}
