import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { type Receiver, startReceiver } from '../../harness/start-receiver.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let receiver: Receiver
beforeAll(async () => {
  server = await startTestServer()
  receiver = await startReceiver()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

/** Creates a flag, and returns its event, which may have had its fan-out already. */
async function createFlag(key: string) {
  const path = `/api/environments/${server.environments.staging}/flags`
  const { status } = await server.call({ path, body: { key, is_enabled: true } })
  expect(status).toBe(200)
  const { rows } = await server.database.pool.query<{ id: number; at_once: boolean }>(
    `select id, fanned_out_at is not null and fanned_out_at = created_at as at_once from domain_events
     where environment_id = $1 order by id desc limit 1`,
    [server.environments.staging],
  )
  return rows[0]
}

/** Stores a webhook as a server of any version does. */
async function insertWebhook(
  enabled: boolean,
  client: Pick<TestServer['database']['pool'], 'query'> = server.database.pool,
): Promise<string> {
  const id = randomUUID()
  await client.query(
    `insert into webhooks (id, environment_id, name, url, enabled, after_event_id, created_at)
     values ($1, $2, 'Stored', $3, $4, 0, now())`,
    [id, server.environments.staging, receiver.url(`/${id}`), enabled],
  )
  return id
}

describe('the outbox', () => {
  it('an event of an environment without an enabled receiver is stored as one that had its fan-out', async () => {
    expect(await createFlag('alone')).toMatchObject({ at_once: true })
    await insertWebhook(false)
    expect(await createFlag('disabled')).toMatchObject({ at_once: true })
  })

  it('the next event after a receiver was stored by another server is delivered, and only that', async () => {
    const id = await insertWebhook(true)
    expect(await createFlag('delivered')).toMatchObject({ at_once: false })
    await eventually(() => receiver.received(`/${id}`).length > 0)
    expect(receiver.received(`/${id}`).map(({ body }) => body.data.flag_key)).toEqual(['delivered'])
    await server.database.pool.query('delete from webhooks where id = $1', [id])
    expect(await createFlag('alone-again')).toMatchObject({ at_once: true })
  })

  it('a change that is made while a receiver is stored, or enabled, waits for it and is delivered', async () => {
    const { pool } = server.database
    const client = await pool.connect()
    await client.query('begin')
    const id = await insertWebhook(true, client)
    let isMade = false
    const making = createFlag('meanwhile').finally(() => {
      isMade = true
    })
    await eventually(async () => {
      const { rows } = await pool.query("select from pg_stat_activity where wait_event_type = 'Lock'")
      return rows.length > 0
    })
    expect(isMade).toBe(false)
    await client.query('commit')
    expect(await making).toMatchObject({ at_once: false })
    await eventually(() => receiver.received(`/${id}`).length > 0)

    await pool.query('update webhooks set enabled = false where id = $1', [id])
    expect(await createFlag('disabled-again')).toMatchObject({ at_once: true })
    await client.query('begin')
    await client.query('update webhooks set enabled = true where id = $1', [id])
    const other = createFlag('enabled-meanwhile')
    await eventually(async () => {
      const { rows } = await pool.query("select from pg_stat_activity where wait_event_type = 'Lock'")
      return rows.length > 0
    })
    await client.query('commit')
    client.release()
    expect(await other).toMatchObject({ at_once: false })
    await pool.query('delete from webhooks where id = $1', [id])
  })
})
