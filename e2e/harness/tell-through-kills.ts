import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../packages/server/test/harness/eventually.ts'
import { type Received, startReceiver } from '../../packages/server/test/harness/start-receiver.ts'
import { callApi, environmentOf, patchFlag, putFlag } from './call-api.ts'
import { freePort } from './free-port.ts'
import type { Stage } from './open-stage.ts'
import { startServer } from './start-server.ts'
import { withDatabase } from './with-database.ts'

/** What a server gets to do before it is killed, at most: long enough to begin telling of what it found. */
const LIFE_MAX_MS = 150
const DELIVERED_WITHIN_MS = 60_000

export interface KillsRun {
  readonly kills: number
  /** How many happened. */
  readonly events: number
  /** What the receiver was posted. */
  readonly received: readonly Received[]
}

/**
 * Changes a flag some times, kills the server with SIGKILL at the moment when the receiver has been posted something, before it
 * hears the answer, starts it anew, and so on; at the end everything is told.
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
      // The answer is held back until the server is dead: sent, and not logged.
      receiver.reply((_received, response) => {
        resolve()
        setTimeout(() => response.destroyed || response.writeHead(204).end(), LIFE_MAX_MS)
      })
    })
    // Some die while they send, some between two messages, some before they have begun.
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
      // What is still left is told of when it does not come to an end.
      return rows[0].left === 0 || Promise.reject(new Error(`${rows[0].left} are left`))
    }, DELIVERED_WITHIN_MS),
  )
  const run = { kills, events, received: [...receiver.received('/kept')] }
  await server.stop()
  await receiver.close()
  return run
}
