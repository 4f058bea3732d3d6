import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../packages/server/test/harness/eventually.ts'
import { type Received, startReceiver } from '../../packages/server/test/harness/start-receiver.ts'
import { callApi, environmentOf, patchFlag, putFlag } from './call-api.ts'
import { freePort } from './free-port.ts'
import type { Stage } from './open-stage.ts'
import { startServer } from './start-server.ts'
import { withDatabase } from './with-database.ts'

/** The longest life of a server before it is killed: long enough to start deliveries. */
const LIFE_MAX_MS = 150
const DELIVERED_WITHIN_MS = 60_000

export interface KillsRun {
  readonly kills: number
  /** The number of events. */
  readonly events: number
  /** The requests that the receiver got. */
  readonly received: readonly Received[]
}

/**
 * Changes a flag repeatedly, kills the server with SIGKILL when the receiver has got a request but not
 * responded, and restarts it, and so on; at the end everything is delivered.
 */
export async function deliverThroughKills(
  stage: Stage,
  databaseUrl: string,
  { changesPerLife, kills }: { readonly kills: number; readonly changesPerLife: number },
): Promise<KillsRun> {
  const receiver = await startReceiver()
  const port = await freePort()
  let server = await startServer(stage, { databaseUrl, port })
  const environment_id = await environmentOf(server.url)
  const path = `/api/environments/${environment_id}/webhooks`
  await callApi(server.url, 'POST', path, { name: 'kept', url: receiver.url('/kept') })
  await putFlag(server.url, environment_id, { key: 'kept' })
  let events = 1
  for (let kill = 0; kill < kills; kill += 1) {
    for (let change = 0; change < changesPerLife; change += 1) {
      await patchFlag(server.url, environment_id, 'kept', { description: `change ${events}` })
      events += 1
    }
    const posted = new Promise<void>((resolve) => {
      // The response is withheld until the server is dead: sent, and not logged.
      receiver.reply((_received, response) => {
        resolve()
        setTimeout(() => response.destroyed || response.writeHead(204).end(), LIFE_MAX_MS)
      })
    })
    // Some servers die while they send, some between two messages, some before the first.
    if (kill % 3 !== 2) await posted
    else await delay((kill * 7) % LIFE_MAX_MS)
    server.kill('SIGKILL')
    await server.exited
    receiver.reply(204)
    server = await startServer(stage, { databaseUrl, port })
  }
  await withDatabase(databaseUrl, (pool) =>
    eventually(async () => {
      const { rows } = await pool.query(
        `select ((select count(*) from delivery_jobs)
          + (select count(*) from domain_events where fanned_out_at is null))::int as left`,
      )
      // The error shows the remaining jobs when it does not end.
      return rows[0].left === 0 || Promise.reject(new Error(`${rows[0].left} are left`))
    }, DELIVERED_WITHIN_MS),
  )
  const run = { kills, events, received: [...receiver.received('/kept')] }
  await server.stop()
  await receiver.close()
  return run
}
