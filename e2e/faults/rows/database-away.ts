import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { callApi } from '../../harness/call-api.ts'
import { COUNTERS } from '../../harness/crash-repeatedly.ts'
import { openGate } from '../../harness/open-gate.ts'
import { readStoredWrites } from '../../harness/read-stored-writes.ts'
import { startPostgres } from '../../harness/start-postgres.ts'
import { startSdkClient } from '../../harness/start-sdk-client.ts'
import { startServer } from '../../harness/start-server.ts'
import { type Writer, writeContinuously } from '../../harness/write-continuously.ts'
import { countWrongValues } from '../assess/count-wrong-values.ts'
import { findLostWrites } from '../assess/find-lost-writes.ts'
import { findOtherAnswers } from '../assess/find-other-answers.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { findPostgresProcesses, signalAll } from '../postgres-processes.ts'
import { putCounters } from '../put-counters.ts'
import { watchRevisions } from '../watch-revisions.ts'

const SECONDS = { short: 0.5, full: 30 }
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 100

export const fault: Fault = {
  group: 'dependencies',
  title:
    'The database is suspended (SIGSTOP), and then refuses connections, with attempts to write 200 times a second',
  promise:
    'SDKs, streams and snapshots work as before. `/health` returns 200 and `/ready` 503. The only 5xx status is 503, with Retry-After. Writes work again without a restart.',
  async run(stage, scale) {
    const seconds = countOf(scale, SECONDS)
    const postgres = await startPostgres()
    const directUrl = await postgres.createDatabase()
    const gate = await openGate(postgres.socket)
    const gated = new URL(directUrl)
    gated.search = ''
    gated.port = String(gate.port)
    gated.hostname = '127.0.0.1'
    const server = await startServer(stage, { databaseUrl: gated.href })
    const { url } = server
    const environmentId = await putCounters(url)
    const sdk = startSdkClient(stage, { url, watch: COUNTERS })
    const stream = watchRevisions(url)
    await eventually(async () => (await sdk.status()).isReady)
    const writer = writeContinuously(url, environmentId, COUNTERS)
    await eventually(() => writer.acknowledged.length > COUNTERS.length)
    const { children, postmaster } = await findPostgresProcesses(directUrl)
    const all = [postmaster, ...children]
    const broken: string[] = []
    const recoveries: number[] = []
    for (const away of ['stopped', 'refused'] as const) {
      if (away === 'stopped') signalAll(all, 'SIGSTOP')
      else gate.shut('refused')
      broken.push(...(await look(url, seconds * 1_000)))
      if (away === 'stopped') signalAll(all, 'SIGCONT')
      else gate.open()
      recoveries.push(await untilWritable(url, writer))
    }
    await writer.stop()
    const stored = await readStoredWrites(directUrl, environmentId)
    await eventually(async () => {
      const { latest } = await sdk.latest()
      return [...stored.flags].every(([key, value]) => latest[key] === value)
    })
    const observed = await sdk.observed()
    const { lost, torn } = findLostWrites(writer.acknowledged, stored)
    const wrong = countWrongValues([observed], stored)
    if (lost + torn > 0) broken.push(`${lost} writes were lost and ${torn} stored in part.`)
    if (wrong > 0) broken.push(`The SDK returned ${wrong} wrong values.`)
    if (observed.stale > 0 || stream.hasEnded()) broken.push('A stream ended.')
    await server.stop()
    await postgres.close()
    return {
      times: `${seconds} s of each`,
      seen:
        `${inThousands(writer.refused.length)} writes refused with 503, ${writer.perSecond()} sent a second; ${inThousands(observed.evaluations)} evaluations, ${wrong} wrong; ` +
        `writes worked again after ${inThousands(recoveries[0] ?? 0)} ms and ${inThousands(recoveries[1] ?? 0)} ms; ${lost} lost, ${torn} stored in part`,
      broken: [...broken, ...findOtherAnswers(writer)],
    }
  },
}

/** Checks what must continue, and what must be refused with a reason. */
async function look(url: string, forMs: number): Promise<readonly string[]> {
  const statusOf = async (path: string) => (await callApi(url, 'GET', path)).status
  const problems = new Set<string>()
  const end = performance.now() + forMs
  let isReady = true
  while (performance.now() < end) {
    for (const path of ['/health', '/flags/snapshot']) {
      const status = await statusOf(path)
      if (status !== 200) problems.add(`${path} returned ${status}.`)
    }
    const ready = await statusOf('/ready')
    if (ready === 503) isReady = false
    else if (!isReady) problems.add(`/ready returned ${ready} while the database was unavailable.`)
    await delay(LOOK_EVERY_MS)
  }
  if (isReady) problems.add('/ready did not return 503.')
  return [...problems]
}

/** Returns the milliseconds until a write is stored again and the server reports that it is ready. */
async function untilWritable(url: string, writer: Writer): Promise<number> {
  const since = performance.now()
  const before = writer.acknowledged.length
  await eventually(() => writer.acknowledged.length > before, PATIENCE_MS)
  const ms = Math.round(performance.now() - since)
  await eventually(async () => (await callApi(url, 'GET', '/ready')).status === 200, PATIENCE_MS)
  return ms
}
