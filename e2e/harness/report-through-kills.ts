import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../packages/server/test/harness/eventually.ts'
import { callApi, environmentOf } from './call-api.ts'
import { freePort } from './free-port.ts'
import type { Stage } from './open-stage.ts'
import { type ServerOptions, startServer } from './start-server.ts'

const SENDERS = 8
const ROWS_PER_BATCH = 20
/** The number of acknowledged batches within which a kill falls. */
const BATCHES_BEFORE_KILL = 150
const PATIENCE_MS = 60_000
const PAUSE_MS = 20

export interface ReportRun {
  readonly environment_id: string
  /** The acknowledged batches. Each has its own name as the value, or key, of all its rows. */
  readonly acknowledged: { readonly impressions: readonly string[]; readonly goals: readonly string[] }
  readonly unanswered: number
  readonly rowsPerBatch: number
}

/**
 * Kills a server with SIGKILL repeatedly while impressions and goal events arrive, and restarts it each time.
 * A batch is sent once: one without a response may be stored or not, but never in part.
 */
export async function reportThroughKills(
  stage: Stage,
  { kills, options }: { readonly kills: number; readonly options: ServerOptions },
): Promise<ReportRun> {
  const fixed = { ...options, port: await freePort() }
  let server = await startServer(stage, fixed)
  const { url } = server
  const environment_id = await environmentOf(url)
  const acknowledged = { impressions: [] as string[], goals: [] as string[] }
  let unanswered = 0
  let isDone = false

  async function send(sender: number): Promise<void> {
    for (let number = 0; !isDone; number += 1) {
      const kind = (sender + number) % 2 === 0 ? 'impressions' : 'goals'
      const name = `${kind}-${sender}-${number}`
      const path = `/api/environments/${environment_id}/${kind === 'goals' ? 'events' : 'impressions'}`
      try {
        const { status } = await callApi(url, 'POST', path, batch(kind, name))
        if (status !== 204) throw new Error(`returned ${status}`)
        acknowledged[kind].push(name)
      } catch {
        unanswered += 1
        await delay(PAUSE_MS)
      }
    }
  }

  const sending = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)))
  const count = () => acknowledged.impressions.length + acknowledged.goals.length
  for (let kill = 0; kill < kills; kill += 1) {
    const wanted = count() + 1 + Math.floor(Math.random() * BATCHES_BEFORE_KILL)
    await eventually(() => count() >= wanted, PATIENCE_MS)
    server.kill('SIGKILL')
    await server.exited
    server = await startServer(stage, fixed)
  }
  const wanted = count() + SENDERS
  await eventually(() => count() >= wanted, PATIENCE_MS)
  isDone = true
  await sending
  return { environment_id, acknowledged, unanswered, rowsPerBatch: ROWS_PER_BATCH }
}

/** The same users occur in all batches. */
const batch = (kind: 'impressions' | 'goals', name: string) =>
  Array.from({ length: ROWS_PER_BATCH }, (_, index) => {
    const user_id = index % 5 === 0 ? null : `user-${(index * 7) % 30}`
    return kind === 'goals'
      ? { event_key: name, user_id, value: index }
      : { flag_key: index % 2 === 0 ? 'a' : 'b', user_id, value: name }
  })
