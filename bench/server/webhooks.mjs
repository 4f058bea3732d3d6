import { openHttpConnection, patchBytes } from '../harness/http-connection.mjs'
import { createEnvironments, flagKey, seedFlags } from '../harness/installation.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'
import { percentile } from '../harness/percentile.mjs'
import { figure } from '../harness/result-table.mjs'
import { startReceivers } from './start-receivers.mjs'
import { warmUp } from './warm-up.mjs'

const WEBHOOKS = 50
const RECEIVERS = 100
const DEAD = 95
const FLAGS = 10
const WARM_UP_WRITES = 1_000
/** The rounds at the speed of a script that changes flag after flag. */
const ROUNDS = { full: 1_000, quick: 200 }
/** The events at the speed of people and scripts, while receivers are notified. */
const EVENTS = { full: 60, quick: 20 }
const BETWEEN_EVENTS_MS = 250
const DELIVERED_WITHIN_MS = 300_000

export const webhooks = {
  title: `Webhooks: what ${WEBHOOKS} cost a PATCH, and what ${DEAD} dead receivers of ${RECEIVERS} cost the living`,
  async run({ postgres, quick, progress, startServer }) {
    const server = await startServer({ databaseUrl: await postgres.createDatabase() })
    const receivers = await startReceivers()
    try {
      const [none, many, living, mixed] = await createEnvironments(server, 4)
      for (const environment of [none, many, living, mixed]) await seedFlags(server, environment, FLAGS)
      await warmUp(server, [none], WARM_UP_WRITES)
      await createWebhooks(
        server,
        many,
        Array.from({ length: WEBHOOKS }, (_, at) => receivers.url(`/many/${at}`)),
      )
      const kind = quick ? 'quick' : 'full'
      progress('PATCH latency')
      const latencies = await measureWrites(server, { none, many }, ROUNDS[kind])
      progress('deliveries')
      await receivers.untilDelivered('/many/', WEBHOOKS * ROUNDS[kind], DELIVERED_WITHIN_MS)
      progress('all living')
      const liveUrls = Array.from({ length: RECEIVERS - DEAD }, (_, at) => receivers.url(`/living/${at}`))
      await createWebhooks(server, living, liveUrls)
      const normal = await measureDelays(server, receivers, {
        environment: living,
        path: '/living/',
        events: EVENTS[kind],
      })
      progress(`${DEAD} dead`)
      await createWebhooks(server, mixed, [
        ...Array.from({ length: DEAD }, (_, at) => receivers.hangingUrl(`/dead/${at}`)),
        ...liveUrls.map((url) => url.replace('/living/', '/mixed/')),
      ])
      const beside = await measureDelays(server, receivers, {
        environment: mixed,
        path: '/mixed/',
        events: EVENTS[kind],
      })
      return [latencyTable(latencies), delayTable(normal, beside)]
    } finally {
      await server.stop()
      await receivers.close()
    }
  },
}

async function createWebhooks({ url }, { environment_id, sdk_key }, urls) {
  for (const [at, target] of urls.entries()) {
    const reply = await fetch(`${url}/api/environments/${environment_id}/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sdk_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `bench ${at}`, url: target, secret: `secret ${at}` }),
    })
    if (!reply.ok) throw new Error(`creating a webhook returned ${reply.status}: ${await reply.text()}`)
    await reply.arrayBuffer()
  }
}

/** Sends PATCHes to one environment and the other in turn, each after the last response. */
async function measureWrites(server, environments, rounds) {
  const names = Object.keys(environments)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  const connection = await openHttpConnection(server.port)
  for (const name of names) {
    for (let round = 0; round < rounds; round++) {
      times[name].push(await timedPatch(connection, environments[name], round))
    }
  }
  connection.close()
  return times
}

async function timedPatch(connection, environment, round) {
  const bytes = patchBytes(environment, flagKey(round % FLAGS), { rollout_percentage: round % 100 })
  const from = monotonicMs()
  const { body, status } = await connection.send(bytes)
  if (status !== 200) throw new Error(`PATCH returned ${status}: ${body}`)
  return monotonicMs() - from
}

/**
 * Measures the time from the response to a PATCH until each working receiver was notified, in milliseconds.
 */
async function measureDelays(server, receivers, { environment, events, path }) {
  const connection = await openHttpConnection(server.port)
  const respondedAt = new Map()
  receivers.clear()
  for (let event = 0; event < events; event++) {
    const bytes = patchBytes(environment, flagKey(0), { description: `event ${event}` })
    const { body, status } = await connection.send(bytes)
    if (status !== 200) throw new Error(`PATCH returned ${status}: ${body}`)
    respondedAt.set(`event ${event}`, monotonicMs())
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_EVENTS_MS))
  }
  connection.close()
  const wanted = events * (RECEIVERS - DEAD)
  const delivered = await receivers.untilDelivered(path, wanted, DELIVERED_WITHIN_MS)
  return delivered.map(({ atMs, description }) => Math.max(0, atMs - respondedAt.get(description)))
}

function latencyTable(/** @type {Record<string, number[]>} */ { many, none }) {
  const [without, withMany] = [none, many].map((times) => percentile(times, 50))
  return {
    columns: ['Webhooks', 'PATCH p50', 'p99'],
    rows: [
      ['none', figure(without, 'ms'), figure(percentile(none, 99), 'ms')],
      [String(WEBHOOKS), figure(withMany, 'ms'), figure(percentile(many, 99), 'ms')],
      ['ratio', figure(withMany / without, '', { atMost: 1.2 }), ''],
    ],
  }
}

function delayTable(normal, beside) {
  const row = (name, delays, goal) => [
    name,
    figure(percentile(delays, 50), 'ms'),
    figure(percentile(delays, 99), 'ms', goal),
  ]
  return {
    columns: ['Delivered after the response to the PATCH', 'p50', 'p99'],
    rows: [
      row(`${RECEIVERS - DEAD} healthy receivers`, normal),
      row(`the same with ${DEAD} that never respond`, beside, { atMost: percentile(normal, 99) + 1_000 }),
    ],
  }
}
