import { randomBytes } from 'node:crypto'
import { DOMAIN_EVENTS } from '@burgee/contract'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveUpOldJobs } from '../../../src/notification/deliveries/give-up-queries.ts'
import { renewClaims } from '../../../src/notification/deliveries/job-queries.ts'
import {
  fanOutEvents,
  pruneEvents,
  readOccurrences,
} from '../../../src/notification/deliveries/outbox-queries.ts'
import { addUser } from '../../harness/add-user.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { type Received, type Receiver, startReceiver } from '../../harness/start-receiver.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let receiver: Receiver
beforeAll(async () => {
  server = await startTestServer()
  receiver = await startReceiver()
})
afterAll(async () => {
  await server?.close()
  await receiver?.close()
})

let named = 0
const newName = (what: string) => {
  named += 1
  return `${what}-${named}`
}

/** Creates an environment in a separate project, which gets no changes of other tests. */
async function newEnvironment(): Promise<string> {
  const slug = newName('environment')
  const path = `/api/projects/${server.project.id}/environments`
  return (await server.call({ path, body: { name: slug, slug } })).body.id
}

async function newWebhook(environment_id: string, body: object = {}) {
  const path = newName('/hook')
  const answer = await server.call({
    path: `/api/environments/${environment_id}/webhooks`,
    body: { name: path, url: receiver.url(path), ...body },
  })
  expect(answer.status).toBe(200)
  const { id } = answer.body as { id: string }
  const at = `/api/environments/${environment_id}/webhooks/${id}`
  return {
    id,
    path,
    at,
    received: () => receiver.received(path),
    deliveries: async () => (await server.call({ path: `${at}/deliveries` })).body,
    patch: (change: object) => server.call({ method: 'PATCH', path: at, body: change }),
    find: async () => {
      const { body } = await server.call({ path: `/api/environments/${environment_id}/webhooks` })
      return body.find((each: { id: string }) => each.id === id)
    },
  }
}

const putFlag = async (environment_id: string, key = newName('flag')) => {
  const { status } = await server.call({
    path: `/api/environments/${environment_id}/flags`,
    body: { key, is_enabled: true },
  })
  expect(status).toBe(200)
  return key
}

const patchFlag = (environment_id: string, key: string, body: object) =>
  server.call({ method: 'PATCH', path: `/api/environments/${environment_id}/flags/${key}`, body })

const queueIsEmpty = async () => {
  const { rows } = await server.database.pool.query(
    `select (select count(*) from delivery_jobs)::int as jobs,
      (select count(*) from domain_events where fanned_out_at is null)::int as events`,
  )
  return rows[0].jobs === 0 && rows[0].events === 0
}

const gaps = (received: readonly Received[]) =>
  received.slice(1).map(({ atMs }, index) => atMs - (received[index]?.atMs ?? 0))

/** Lets an attempt begin at once, and returns the milliseconds for which it would have waited. */
const skipWait = (webhook_id: string, attempt: number): Promise<number> =>
  eventually(async () => {
    const { rows } = await server.database.pool.query(
      `with waiting as (select id, run_at from delivery_jobs where receiver_id = $1 and attempt = $2 for update)
       update delivery_jobs job set run_at = clock_timestamp() from waiting where job.id = waiting.id
       returning extract(epoch from waiting.run_at - (
         select max(delivered_at) from webhook_deliveries where webhook_id = $1))::float8 * 1000 as wait_ms`,
      [webhook_id, attempt],
    )
    return rows[0]?.wait_ms
  })

describe('webhook events', () => {
  it('an event is posted by Standard Webhooks, which the standardwebhooks package verifies', async () => {
    const environment_id = await newEnvironment()
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    server.watchSecret(secret)
    const webhook = await newWebhook(environment_id, { secret })

    const key = await putFlag(environment_id)

    const [message] = await eventually(() => webhook.received().length === 1 && webhook.received())
    expect(message?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^[\w-]+$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'x-flagservice-event': 'flag.created',
      'x-flagservice-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    })
    const verified = new Webhook(secret).verify(message?.text ?? '', headersOf(message))
    expect(verified).toEqual(message?.body)
    expect(message?.body).toEqual({
      type: 'flag.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        project_id: server.project.id,
        environment: { id: environment_id, name: expect.any(String), slug: expect.any(String) },
        flag_key: key,
        audit: {
          chain: environment_id,
          seq: expect.any(Number),
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        actor_email: 'ada@example.com',
        flag: expect.objectContaining({ key, is_enabled: true, revision: 1 }),
        previous: null,
      },
    })
  })

  it('an event is signed with the bytes of any other secret as it is', async () => {
    const environment_id = await newEnvironment()
    const secret = 'whsec_not-base64!-ä'
    server.watchSecret(secret)
    const webhook = await newWebhook(environment_id, { secret })

    await putFlag(environment_id)

    const [message] = await eventually(() => webhook.received().length === 1 && webhook.received())
    const verifier = new Webhook(Buffer.from(secret).toString('base64'))
    expect(() => verifier.verify(message?.text ?? '', headersOf(message))).not.toThrow()
  })

  it('an event is sent unsigned without a secret, and after the secret was removed', async () => {
    const environment_id = await newEnvironment()
    const secret = newName('a-secret-that-is-removed')
    const webhook = await newWebhook(environment_id, { secret })
    await webhook.patch({ secret: null })

    await putFlag(environment_id)

    const [message] = await eventually(() => webhook.received().length === 1 && webhook.received())
    expect(message?.headers).toMatchObject({ 'x-flagservice-event': 'flag.created' })
    expect(message?.headers).not.toHaveProperty('webhook-signature')
    expect(message?.headers).not.toHaveProperty('x-flagservice-signature')
  })

  const headersOf = (message: Received | undefined) => ({
    'webhook-id': String(message?.headers['webhook-id']),
    'webhook-timestamp': String(message?.headers['webhook-timestamp']),
    'webhook-signature': String(message?.headers['webhook-signature']),
  })

  it('each of the seven events has the documented content', async () => {
    const source = await newEnvironment()
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    const key = await putFlag(source)
    const base = `/api/environments/${environment_id}`
    const editor = { bearer: (await newKey(environment_id)).key }
    const promoted = await server.call({
      path: `/api/environments/${source}/flags/${key}/promote`,
      body: { target_env_id: environment_id },
    })
    expect(promoted.status).toBe(200)
    await putFlag(environment_id, key)
    await patchFlag(environment_id, key, { rollout_percentage: 25 })
    const project = `/api/projects/${server.project.id}/environments/${environment_id}`
    await server.call({ path: `${project}/require-approval`, body: { require_approval: true } })
    const open = async () => {
      const path = `${base}/flags/${key}`
      const answer = await server.call({ method: 'PATCH', path, body: { is_enabled: false }, as: editor })
      expect(answer.status).toBe(202)
      return answer.body.id
    }
    // The creator of the key may not approve what it requests.
    const { cookie } = await addUser(server, { email: 'reviewer@example.com', role: 'admin' })
    const approve = `${base}/change-requests/${await open()}/approve`
    expect((await server.call({ method: 'POST', path: approve, as: { cookie } })).status).toBe(200)
    await server.call({
      path: `${base}/change-requests/${await open()}/reject`,
      body: { reason: 'Not on a Friday' },
    })
    await server.call({ method: 'DELETE', path: `${base}/flags/${key}` })

    const delivered = await eventually(() => {
      const bodies = webhook.received().map(({ body }) => body)
      return bodies.length === 9 && bodies
    })
    expect(delivered.map(({ type }) => type)).toEqual([
      'flag.promoted',
      'flag.created',
      'flag.updated',
      'change_request.opened',
      'change_request.approved',
      'flag.updated',
      'change_request.opened',
      'change_request.rejected',
      'flag.deleted',
    ])
    expect(new Set(delivered.map(({ type }) => type))).toEqual(new Set(DOMAIN_EVENTS))
    for (const { data } of delivered) {
      expect(data).toMatchObject({
        project_id: server.project.id,
        environment: { id: environment_id },
        flag_key: key,
        actor_email: expect.any(String),
      })
    }
    const [promotion, , update, opened, approved, , , rejected, deleted] = delivered
    expect(promotion.data).toMatchObject({ source_environment: { id: source }, flag: { key } })
    expect(update.data).toMatchObject({
      flag: { rollout_percentage: 25 },
      previous: { rollout_percentage: null },
    })
    expect(opened.data.change_request).toMatchObject({ status: 'pending', patch: { is_enabled: false } })
    expect(approved.data.change_request).toMatchObject({
      status: 'approved',
      reviewed_by: 'reviewer@example.com',
    })
    expect(rejected.data.change_request).toMatchObject({ status: 'rejected', reason: 'Not on a Friday' })
    expect(deleted.data).toMatchObject({ flag: null, previous: { key } })
  })

  const newKey = async (environment_id: string) =>
    (
      await server.call({
        path: `/api/projects/${server.project.id}/keys`,
        body: { name: newName('key'), environment_id },
      })
    ).body

  it('archive, unarchive and each flag of a bulk edit make one flag.updated each', async () => {
    const environment_id = await newEnvironment()
    const keys = [await putFlag(environment_id), await putFlag(environment_id)]
    await eventually(queueIsEmpty)
    const webhook = await newWebhook(environment_id)
    const base = `/api/environments/${environment_id}/flags`
    await server.call({ method: 'POST', path: `${base}/${keys[0]}/archive` })
    await server.call({ method: 'POST', path: `${base}/${keys[0]}/unarchive` })
    await server.call({ path: `${base}/bulk`, body: { keys, action: 'disable' } })

    await eventually(() => webhook.received().length === 4)
    await eventually(queueIsEmpty)
    expect(webhook.received().map(({ body }) => [body.type, body.data.flag_key])).toEqual([
      ['flag.updated', keys[0]],
      ['flag.updated', keys[0]],
      ['flag.updated', keys[0]],
      ['flag.updated', keys[1]],
    ])
  })

  it('an event of one environment never reaches a webhook of another', async () => {
    const [here, there] = [await newEnvironment(), await newEnvironment()]
    const [webhook, other] = [await newWebhook(here), await newWebhook(there)]

    await putFlag(here)

    await eventually(() => webhook.received().length === 1)
    await eventually(queueIsEmpty)
    expect(other.received()).toEqual([])
    expect(await other.deliveries()).toEqual([])
  })

  it('events reach each webhook in their order', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    const key = await putFlag(environment_id)
    for (let percentage = 1; percentage <= 40; percentage += 1) {
      await patchFlag(environment_id, key, { rollout_percentage: percentage })
    }

    const delivered = await eventually(() => webhook.received().length === 41 && webhook.received())
    const revisions = delivered.map(({ body }) => body.data.flag.revision)
    expect(revisions).toEqual([...revisions].sort((left, right) => left - right))
    expect(new Set(delivered.map(({ headers }) => headers['webhook-id'])).size).toBe(41)
  })

  it('events from before a webhook was created or enabled again are not sent', async () => {
    const environment_id = await newEnvironment()
    await putFlag(environment_id)
    const webhook = await newWebhook(environment_id)
    await webhook.patch({ enabled: false })
    await putFlag(environment_id)
    await webhook.patch({ enabled: true })
    const key = await putFlag(environment_id)

    await eventually(() => webhook.received().length > 0)
    await eventually(queueIsEmpty)
    expect(webhook.received().map(({ body }) => body.data.flag_key)).toEqual([key])
  })
})

describe('a disabled webhook', () => {
  it('a disabled or deleted webhook receives nothing', async () => {
    const environment_id = await newEnvironment()
    const [disabled, deleted, heard] = [
      await newWebhook(environment_id, { enabled: false }),
      await newWebhook(environment_id),
      await newWebhook(environment_id),
    ]
    await server.call({ method: 'DELETE', path: deleted.at })

    await putFlag(environment_id)

    await eventually(() => heard.received().length === 1)
    await eventually(queueIsEmpty)
    expect([...disabled.received(), ...deleted.received()]).toEqual([])
    expect(await disabled.deliveries()).toEqual([])
  })

  it('a disabled webhook gets no more attempts of earlier failures', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    receiver.reply(500, webhook.path)
    await putFlag(environment_id)
    await eventually(async () => (await webhook.deliveries()).length === 1)

    await webhook.patch({ enabled: false })

    const { rows } = await server.database.pool.query('select 1 from delivery_jobs where webhook_id = $1', [
      webhook.id,
    ])
    expect(rows).toEqual([])
  })
})

describe('the delivery log', () => {
  it('the delivery log has the responses, newest first', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    await putFlag(environment_id)
    await eventually(async () => (await webhook.deliveries()).length === 1)
    receiver.reply((_received, response) => response.writeHead(201).end('thanks'), webhook.path)
    const key = await putFlag(environment_id)

    const [newest, oldest] = await eventually(async () => {
      const deliveries = await webhook.deliveries()
      return deliveries.length === 2 && deliveries
    })
    const [, message] = webhook.received()
    expect(message?.body.data.flag_key).toBe(key)
    expect(newest).toEqual({
      id: expect.any(Number),
      webhook_id: webhook.id,
      event: 'flag.created',
      attempt: 1,
      message_id: message?.headers['webhook-id'],
      status_code: 201,
      // The receiver has a private address.
      response_body: null,
      error: null,
      duration_ms: expect.any(Number),
      delivered_at: expect.stringMatching(/Z$/),
    })
    const { last_delivery } = await webhook.find()
    const { attempt, delivered_at, error, event, id, status_code } = newest
    expect(last_delivery).toEqual({ attempt, delivered_at, error, event, id, status_code })
    expect(oldest.id).toBeLessThan(newest.id)
  })

  it('the delivery log shows the 100 newest attempts', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    await server.database.pool.query(
      `insert into webhook_deliveries (webhook_id, event, message_id, attempt, status_code, delivered_at)
       select $1, 'flag.created', 'evt_' || n, 1, 200, now() from generate_series(1, 120) n`,
      [webhook.id],
    )

    const deliveries = await webhook.deliveries()
    expect(deliveries).toHaveLength(100)
    expect(deliveries[0].message_id).toBe('evt_120')
  })

  it('the delivery log keeps at most 500 rows of a webhook', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    await server.database.pool.query(
      `insert into webhook_deliveries (webhook_id, event, message_id, attempt, status_code, delivered_at)
       select $1, 'flag.created', 'evt_' || n, 1, 200, now() from generate_series(1, 700) n`,
      [webhook.id],
    )
    await putFlag(environment_id)

    await eventually(async () => {
      const { rows } = await server.database.pool.query(
        'select count(*)::int as count from webhook_deliveries where webhook_id = $1',
        [webhook.id],
      )
      return rows[0].count === 500
    })
    expect((await webhook.deliveries())[0].status_code).toBe(200)
  })

  it('the delivery log explains why a request never completed', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id, { url: 'http://127.0.0.1:9/nobody' })
    await putFlag(environment_id)

    const [delivery] = await eventually(async () => {
      const deliveries = await webhook.deliveries()
      return deliveries.length > 0 && deliveries
    })
    expect(delivery).toMatchObject({ status_code: null, response_body: null, error: expect.any(String) })
    await webhook.patch({ enabled: false })
  })
})

describe('a failed delivery', () => {
  it('a failed delivery is retried after 1, 5 and 15 s with the same id, and then given up', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    receiver.reply(503, webhook.path)

    await putFlag(environment_id)

    await eventually(() => webhook.received().length === 2)
    const waits = [gaps(webhook.received())[0], await skipWait(webhook.id, 3), await skipWait(webhook.id, 4)]
    const tries = await eventually(() => webhook.received().length === 4 && webhook.received())
    for (const [index, wait_ms] of [1_000, 5_000, 15_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(wait_ms)
    }
    expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(tries.map(({ text }) => text)).size).toBe(1)
    await eventually(queueIsEmpty)
    const deliveries = await webhook.deliveries()
    expect(deliveries.map(({ attempt }: { attempt: number }) => attempt)).toEqual([4, 3, 2, 1])
    expect(deliveries.every((each: { status_code: number }) => each.status_code === 503)).toBe(true)
    expect(new Set(deliveries.map(({ message_id }: { message_id: string }) => message_id)).size).toBe(1)
  })

  it('a failed delivery ends once an attempt succeeds', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    receiver.reply((_received, response) => {
      response.writeHead(webhook.received().length === 1 ? 500 : 204).end()
    }, webhook.path)

    await putFlag(environment_id)

    await eventually(async () => (await webhook.deliveries()).length === 2)
    await eventually(queueIsEmpty)
    const deliveries = await webhook.deliveries()
    expect(deliveries.map((each: { status_code: number }) => each.status_code)).toEqual([204, 500])
  })

  it('a delivery follows no redirect: a 302 is a failure with that status', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    const elsewhere = newName('/elsewhere')
    receiver.reply((_received, response) => {
      response.writeHead(302, { location: receiver.url(elsewhere) }).end()
    }, webhook.path)

    await putFlag(environment_id)

    const [delivery] = await eventually(async () => {
      const deliveries = await webhook.deliveries()
      return deliveries.length > 0 && deliveries
    })
    expect(delivery.status_code).toBe(302)
    await webhook.patch({ enabled: false })
    expect(receiver.received(elsewhere)).toEqual([])
  })

  it('a delivery with 410 disables the webhook, drops its jobs, and is in the audit log', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    receiver.reply(500, webhook.path)
    await putFlag(environment_id)
    await eventually(async () => (await webhook.deliveries()).length === 1)
    receiver.reply(410, webhook.path)
    await putFlag(environment_id)

    await eventually(async () => !(await webhook.find()).enabled)
    const sent = webhook.received().length
    await putFlag(environment_id)
    await eventually(queueIsEmpty)
    expect(webhook.received()).toHaveLength(sent)
    expect((await webhook.deliveries())[0].status_code).toBe(410)
    const { body } = await server.call({ path: `/api/environments/${environment_id}/audit` })
    const entries = body.filter((each: { action: string }) => each.action === 'update')
    expect(entries).toMatchObject([
      {
        actor_email: 'system',
        flag_key: '',
        before_data: { enabled: true },
        after_data: { enabled: false },
        metadata: { origin: 'direct', resource: `webhook:${webhook.id}` },
      },
    ])
  })
})

describe('sending a delivery again', () => {
  const redeliver = async (webhook: Awaited<ReturnType<typeof newWebhook>>, delivery_id: number) =>
    server.call({ method: 'POST', path: `${webhook.at}/deliveries/${delivery_id}/redeliver` })

  it('sending again responds with 202 and uses the same id with a new signature', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    await putFlag(environment_id)
    const [delivery] = await eventually(async () => {
      const deliveries = await webhook.deliveries()
      return deliveries.length === 1 && deliveries
    })

    const answer = await redeliver(webhook, delivery.id)

    expect(answer.status).toBe(202)
    const [first, second] = await eventually(() => webhook.received().length === 2 && webhook.received())
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.text).toBe(first?.text)
    await eventually(async () => (await webhook.deliveries()).length === 2)
  })

  it('sending again reaches a disabled webhook too, once', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    await putFlag(environment_id)
    const [delivery] = await eventually(async () => {
      const deliveries = await webhook.deliveries()
      return deliveries.length === 1 && deliveries
    })
    await webhook.patch({ enabled: false })
    receiver.reply(500, webhook.path)

    expect((await redeliver(webhook, delivery.id)).status).toBe(202)

    await eventually(async () => (await webhook.deliveries()).length === 2)
    await eventually(queueIsEmpty)
    expect(webhook.received()).toHaveLength(2)
  })

  it('sending again is 409 when the event was pruned, and 404 for another webhook', async () => {
    const environment_id = await newEnvironment()
    const [webhook, other] = [await newWebhook(environment_id), await newWebhook(environment_id)]
    await putFlag(environment_id)
    const [delivery] = await eventually(async () => {
      const deliveries = await webhook.deliveries()
      return deliveries.length === 1 && deliveries
    })

    expect((await redeliver(other, delivery.id)).status).toBe(404)
    await server.database.pool.query('update webhook_deliveries set event_id = null where id = $1', [
      delivery.id,
    ])
    expect((await redeliver(webhook, delivery.id)).status).toBe(409)
  })
})

describe('unresponsive receivers', () => {
  it('an unresponsive receiver delays neither other receivers nor the API', async () => {
    const environment_id = await newEnvironment()
    const slow = await Promise.all(Array.from({ length: 20 }, () => newWebhook(environment_id)))
    const open: (() => void)[] = []
    for (const { path } of slow)
      receiver.reply((_received, response) => open.push(() => response.end()), path)
    const quick = await newWebhook(environment_id)
    const key = await putFlag(environment_id)
    await eventually(() => slow.every(({ received }) => received().length === 1))

    for (let percentage = 1; percentage <= 10; percentage += 1) {
      await patchFlag(environment_id, key, { rollout_percentage: percentage })
    }
    await eventually(() => quick.received().length === 11)

    // The slow ones still process their first message, and nothing else.
    expect(open).toHaveLength(20)
    expect(slow.every(({ received }) => received().length === 1)).toBe(true)
    for (const webhook of slow) await webhook.patch({ enabled: false })
    for (const end of open) end()
    await eventually(queueIsEmpty)
  })
})

describe('deliveries of several instances', () => {
  it('several instances deliver each event once', async () => {
    const second = await startTestServer({ database: server.database })
    try {
      const environment_id = await newEnvironment()
      const webhooks = await Promise.all(Array.from({ length: 3 }, () => newWebhook(environment_id)))
      const key = await putFlag(environment_id)
      for (let percentage = 1; percentage <= 30; percentage += 1) {
        const on = percentage % 2 ? server : second
        await on.call({
          method: 'PATCH',
          path: `/api/environments/${environment_id}/flags/${key}`,
          body: { rollout_percentage: percentage },
        })
      }

      await eventually(() => webhooks.every(({ received }) => received().length >= 31))
      await eventually(queueIsEmpty)
      for (const { received } of webhooks) {
        const revisions = received().map(({ body }) => body.data.flag.revision)
        expect(revisions).toEqual(Array.from({ length: 31 }, (_, index) => index + 1))
      }
    } finally {
      await second.close()
    }
  })

  it('an instance takes over the deliveries of a crashed one, once its claim has expired', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    const { rows } = await server.database.pool.query(
      `with event as (
         insert into domain_events (project_id, environment_id, type, data, created_at, fanned_out_at)
         values ($1, $2, 'flag.created', $3, now(), now()) returning id
       )
       insert into delivery_jobs (webhook_id, event_id, message_id, run_at, claimed_until)
       select $4, id, 'evt_of_the_dead', now(), now() + interval '1 second' from event returning claimed_until`,
      [server.project.id, environment_id, JSON.stringify({ flag_key: 'x' }), webhook.id],
    )

    await eventually(() => webhook.received().length === 1)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(rows[0].claimed_until))
    expect(webhook.received()[0]?.headers['webhook-id']).toBe('evt_of_the_dead')
    await eventually(queueIsEmpty)
  })
})

describe('pruning of events', () => {
  it('delivered events without jobs are pruned', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id, { enabled: false })
    const { pool } = server.database
    const insert = async (created_at: string, fanned_out_at: string | null) => {
      const { rows } = await pool.query(
        `insert into domain_events (project_id, environment_id, type, data, created_at, fanned_out_at)
         values ($1, $2, 'flag.created', '{}', $3, $4) returning id`,
        [server.project.id, environment_id, created_at, fanned_out_at],
      )
      return Number(rows[0].id)
    }
    const longAgo = '2020-01-01T00:00:00Z'
    const [delivered, recent, awaited] = [
      await insert(longAgo, longAgo),
      await insert(new Date().toISOString(), longAgo),
      await insert(longAgo, longAgo),
    ]
    await pool.query(
      `insert into delivery_jobs (webhook_id, event_id, message_id, attempt, run_at) values ($1, $2, 'evt_x', 2, '2199-01-01')`,
      [webhook.id, awaited],
    )

    expect(await pruneEvents(server.database.db, '2021-01-01T00:00:00Z', 100)).toBe(1)

    const { rows } = await pool.query('select id from domain_events where id = any($1) order by id', [
      [delivered, recent, awaited],
    ])
    expect(rows.map(({ id }) => Number(id))).toEqual([recent, awaited])
    await pool.query('delete from delivery_jobs where event_id = $1', [awaited])
  })
})

describe('unreadable secrets of webhooks', () => {
  it('an unreadable secret fails the delivery, with the reason', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id, { secret: newName('a-secret-to-be-spoilt') })
    await server.database.pool.query("update webhooks set secret_sealed = 'spoilt' where id = $1", [
      webhook.id,
    ])

    await putFlag(environment_id)

    const [delivery] = await eventually(async () => {
      const deliveries = await webhook.deliveries()
      return deliveries.length > 0 && deliveries
    })
    expect(delivery).toMatchObject({
      status_code: null,
      error: expect.stringContaining('address or secret of the receiver can no longer be decrypted'),
    })
    expect(webhook.received()).toEqual([])
    await webhook.patch({ enabled: false })
  })
})

describe('stopping a server during deliveries', () => {
  it('unfinished deliveries are returned to the queue for the next server', async () => {
    const database = await createTestDatabase()
    const path = newName('/hook')
    receiver.reply(() => undefined, path)
    const stopping = await startTestServer({ database })
    const base = `/api/environments/${stopping.environments.production}`
    await stopping.call({ path: `${base}/webhooks`, body: { name: path, url: receiver.url(path) } })
    await stopping.call({ path: `${base}/flags`, body: { key: 'a', is_enabled: true } })
    await eventually(() => receiver.received(path).length === 1)

    await stopping.close()

    const jobs = await database.pool.query('select attempt, claimed_until from delivery_jobs')
    expect(jobs.rows).toEqual([{ attempt: 1, claimed_until: null }])
    const logged = await database.pool.query('select 1 from webhook_deliveries')
    expect(logged.rows).toEqual([])
    receiver.reply(200, path)
    const next = await startTestServer({ database })
    const [first, second] = await eventually(
      () => receiver.received(path).length === 2 && receiver.received(path),
    )
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.text).toBe(first?.text)
    await next.close()
    await database.drop()
  })
})

describe('the queue of deliveries', () => {
  const insertEvents = async (
    environment_id: string,
    { count = 1, type = 'flag.created', fannedOut = false, text = '' } = {},
  ) => {
    const { rows } = await server.database.pool.query(
      `insert into domain_events (project_id, environment_id, type, data, created_at, fanned_out_at)
       select $1, $2, $3, $4, now(), case when $5::boolean then now() end from generate_series(1, $6) returning id`,
      [server.project.id, environment_id, type, JSON.stringify({ flag_key: 'x', text }), fannedOut, count],
    )
    return rows.map(({ id }) => Number(id))
  }
  const insertJob = async (
    webhook_id: string,
    event_id: number | undefined,
    { run_at = 'now', attempt = 1 } = {},
  ) =>
    server.database.pool.query(
      `insert into delivery_jobs (webhook_id, event_id, message_id, attempt, run_at)
       values ($1, $2::bigint, 'evt_' || $2::bigint, $3, $4::timestamptz)`,
      [webhook_id, event_id, attempt, run_at],
    )
  const countJobs = async (webhook_id: string) => {
    const { rows } = await server.database.pool.query('select 1 from delivery_jobs where webhook_id = $1', [
      webhook_id,
    ])
    return rows.length
  }

  it('the queue takes an event of each waiting environment, however small the batch', async () => {
    const [busy, calm, unheard] = [await newEnvironment(), await newEnvironment(), await newEnvironment()]
    await eventually(queueIsEmpty)
    const database = server.database.db
    const delivered = await database.transaction().execute(async (tx) => {
      for (const environment_id of [busy, calm]) {
        await sql`insert into webhooks (id, environment_id, name, url, after_event_id, created_at)
            values (gen_random_uuid(), ${environment_id}, 'x', ${receiver.url('/quiet')}, 0, now())`.execute(
          tx,
        )
      }
      for (const [environment_id, count] of [
        // More than one fan-out reads.
        [busy, 2_500],
        [unheard, 20],
        [calm, 1],
      ] as const) {
        await sql`insert into domain_events (project_id, environment_id, type, data, created_at)
            select ${server.project.id}, ${environment_id}, 'flag.created', '{}', now()
            from generate_series(1, ${count}::int)`.execute(tx)
      }
      const nested = { transaction: () => ({ execute: (work: (inner: typeof tx) => unknown) => work(tx) }) }
      const outcome = await fanOutEvents(nested as unknown as typeof database, { limit: 1 })
      const waiting = await sql<{ environment_id: string; count: number }>`
          select environment_id, count(*)::int as count from domain_events
          where fanned_out_at is null group by environment_id`.execute(tx)
      await sql`delete from domain_events where environment_id in (${busy}, ${calm}, ${unheard})`.execute(tx)
      await sql`delete from webhooks where environment_id in (${busy}, ${calm})`.execute(tx)
      return { outcome, waiting: waiting.rows }
    })

    expect(delivered).toEqual({
      outcome: { events: 2, is_behind: true },
      waiting: [{ environment_id: busy, count: 2_499 }],
    })
  })

  it('the queue leaves unknown kinds of events to a newer version', async () => {
    const environment_id = await newEnvironment()
    const [webhook, heard] = [await newWebhook(environment_id), await newWebhook(environment_id)]
    const [event_id] = await insertEvents(environment_id, { type: 'flag.dreamt_of', fannedOut: true })
    await insertJob(webhook.id, event_id)
    await insertJob(webhook.id, event_id, { attempt: 2 })

    await putFlag(environment_id)
    await eventually(() => heard.received().length === 1)

    expect(await countJobs(webhook.id)).toBe(3)
    await server.call({ method: 'DELETE', path: webhook.at })
  })

  it('the queue sends first attempts whatever the clocks of instances are', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    const [event_id] = await insertEvents(environment_id, { fannedOut: true })
    await insertJob(webhook.id, event_id, { run_at: '2199-01-01' })

    await eventually(() => webhook.received().length === 1)
    await eventually(queueIsEmpty)
  })

  it('the queue uses the clock of the database', async () => {
    const late = await startTestServer({
      database: server.database,
      clock: createManualClock('2020-01-01T00:00:00.000Z'),
    })
    try {
      const environment_id = await newEnvironment()
      const webhook = await newWebhook(environment_id, { enabled: false })
      await late.call({
        path: `/api/environments/${environment_id}/flags`,
        body: { key: 'a', is_enabled: true },
      })
      await eventually(queueIsEmpty)
      await webhook.patch({ enabled: true })
      receiver.reply((_received, response) => {
        response.writeHead(webhook.received().length === 1 ? 500 : 200).end()
      }, webhook.path)
      await late.call({
        method: 'PATCH',
        path: `/api/environments/${environment_id}/flags/a`,
        body: { is_enabled: false },
      })

      await eventually(() => webhook.received().length === 2)
      expect(gaps(webhook.received())[0]).toBeGreaterThanOrEqual(1_000)
      await eventually(queueIsEmpty)
    } finally {
      await late.close()
    }
  })

  it('the queue gives up what has waited for more than a day, and logs it', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    receiver.reply(() => undefined, webhook.path)
    await putFlag(environment_id)
    await eventually(() => webhook.received().length === 1)
    const [old, recent] = await insertEvents(environment_id, { count: 2, fannedOut: true })
    const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString()
    await insertJob(webhook.id, old, { run_at: yesterday })
    await insertJob(webhook.id, recent)

    expect(await giveUpOldJobs(server.database.db)).toBe(1)

    expect(await webhook.deliveries()).toEqual([
      expect.objectContaining({
        message_id: `evt_${old}`,
        status_code: null,
        error: 'given up: it has waited for more than 24 hours',
      }),
    ])
    expect(await countJobs(webhook.id)).toBe(2)
    await server.call({ method: 'DELETE', path: webhook.at })
  })

  it('the queue reads at most as much as allowed, and at least one message', async () => {
    const environment_id = await newEnvironment()
    const ids = await insertEvents(environment_id, { count: 3, fannedOut: true, text: 'x'.repeat(1_000) })
    const read = async (maxBytes: number) => [
      ...(await readOccurrences(server.database.db, ids, maxBytes)).keys(),
    ]

    expect(await read(10)).toEqual(ids.slice(0, 1))
    expect(await read(2_500)).toEqual(ids.slice(0, 2))
    expect(await read(1_000_000)).toEqual(ids)
  })
})

describe('410 from an earlier address of a webhook', () => {
  it('410 from an earlier address does not disable the webhook, which gets events at its new one', async () => {
    const environment_id = await newEnvironment()
    const webhook = await newWebhook(environment_id)
    const elsewhere = newName('/elsewhere')
    let answerGone: () => void = () => undefined
    receiver.reply((_received, response) => {
      answerGone = () => response.writeHead(410).end()
    }, webhook.path)
    await putFlag(environment_id)
    await eventually(() => webhook.received().length === 1)

    await webhook.patch({ url: receiver.url(elsewhere) })
    answerGone()

    await eventually(() => receiver.received(elsewhere).length === 1)
    await eventually(queueIsEmpty)
    expect((await webhook.find()).enabled).toBe(true)
    const statuses = (await webhook.deliveries()).map((each: { status_code: number }) => each.status_code)
    expect(statuses).toEqual([200, 410])
  })
})

describe('the renewal of claims', () => {
  it('does not claim the next attempt of a job whose last attempt was logged a moment ago', async () => {
    const environment_id = await newEnvironment()
    const hook = await newWebhook(environment_id)
    receiver.reply(500, hook.path)
    await putFlag(environment_id)
    const jobOf = async () => {
      const { rows } = await server.database.pool.query(
        'select id::int, attempt, claimed_until from delivery_jobs where receiver_id = $1',
        [hook.id],
      )
      return rows[0]
    }
    const { id } = await eventually(async () => {
      const { rows } = await server.database.pool.query(
        "update delivery_jobs set run_at = '2199-01-01' where receiver_id = $1 and attempt = 2 returning id::int",
        [hook.id],
      )
      return rows[0]
    })

    for (const attempt of [1, 2]) {
      await renewClaims(server.database.db, [{ id, attempt }])
    }

    expect((await jobOf()).claimed_until).toBeNull()
    receiver.reply(200, hook.path)
    await skipWait(hook.id, 2)
    await eventually(() => hook.received().length === 2)
    await eventually(queueIsEmpty)
  })
})
