import { eventually } from '../../packages/server/test/harness/eventually.ts'
import { environmentOf, putFlag } from './call-api.ts'
import { freePort } from './free-port.ts'
import type { Stage } from './open-stage.ts'
import { readStoredWrites, type StoredWrites } from './read-stored-writes.ts'
import { type Observed, type SdkClient, startSdkClient } from './start-sdk-client.ts'
import { type ServerOptions, startServer } from './start-server.ts'
import { PATIENCE_MS, within } from './within.ts'
import { type AcknowledgedWrite, type Writer, writeContinuously } from './write-continuously.ts'

export const COUNTERS = Array.from({ length: 16 }, (_, index) => `counter-${index + 1}`)
const OBSERVERS = 3
/** The number of acknowledged writes, after all have reconnected, within which a kill falls. */
const WRITES_BEFORE_KILL = 150
const RECONNECTED_WITHIN_MS = 60_000

export interface CrashRun {
  readonly acknowledged: readonly AcknowledgedWrite[]
  readonly unanswered: number
  readonly stored: StoredWrites
  readonly observers: readonly Observed[]
  /** The milliseconds from the start of each new process until it listened. */
  readonly restartsMs: readonly number[]
  /** The acknowledged writes per second while a server was running. */
  readonly writesPerSecond: number
  /** The sent writes per second, with or without a server. */
  readonly sentPerSecond: number
}

/**
 * Kills a server with SIGKILL repeatedly while it is written to, and restarts it each time; before each kill
 * every SDK has reconnected and has seen a write of the new process. The caller's stage stops the server.
 */
export async function crashRepeatedly(
  stage: Stage,
  {
    databaseUrl,
    kills,
    options,
    observerCount = OBSERVERS,
    writesBeforeKill = WRITES_BEFORE_KILL,
  }: {
    databaseUrl: () => Promise<string>
    kills: number
    options: ServerOptions
    /** The number of SDK processes, each of which evaluates every millisecond. */
    observerCount?: number
    writesBeforeKill?: number
  },
): Promise<CrashRun> {
  const fixed = { ...options, port: await freePort() }
  let server = await startServer(stage, fixed)
  const { url } = server
  const environment_id = await environmentOf(url)
  for (const key of COUNTERS) {
    await putFlag(url, environment_id, { key, flag_type: 'integer', default_value: 0, disabled_value: -2 })
  }
  const observers = Array.from({ length: observerCount }, () =>
    startSdkClient(stage, { url, watch: COUNTERS }),
  )
  const writer = writeContinuously(url, environment_id, COUNTERS)
  const restartsMs: number[] = []
  const writingSince = performance.now()
  for (let kill = 1; kill <= kills; kill += 1) {
    await everyoneIsBack(observers, writer, kill)
    await someWrites(writer, writesBeforeKill)
    server.kill('SIGKILL')
    await within(PATIENCE_MS, 'the end of a server after SIGKILL', server.exited)
    const startedAt = performance.now()
    server = await startServer(stage, fixed)
    restartsMs.push(Math.round(performance.now() - startedAt))
  }
  await everyoneIsBack(observers, writer, kills + 1)
  await writer.stop()
  const upMs = performance.now() - writingSince - restartsMs.reduce((sum, ms) => sum + ms, 0)
  await everyoneHasTheLast(observers, writer)
  const stored = await readStoredWrites(await databaseUrl(), environment_id)
  const seen = await Promise.all(observers.map((observer) => observer.observed()))
  await server.stop()
  return {
    acknowledged: writer.acknowledged,
    unanswered: writer.unanswered(),
    stored,
    observers: seen,
    restartsMs,
    sentPerSecond: writer.perSecond(),
    writesPerSecond: Math.round((writer.acknowledged.length / upMs) * 1_000),
  }
}

/**
 * Resolves when every SDK has bootstrapped `times` times, and has since seen a write that was acknowledged
 * after that.
 */
async function everyoneIsBack(observers: readonly SdkClient[], writer: Writer, times: number): Promise<void> {
  const all = (fits: (observer: SdkClient) => Promise<boolean>) =>
    eventually(async () => (await Promise.all(observers.map(fits))).every(Boolean), RECONNECTED_WITHIN_MS)
  await all(async (observer) => (await observer.latest()).ready >= times)
  const before = writer.acknowledged.length
  const fresh = await eventually(() => writer.acknowledged[before], RECONNECTED_WITHIN_MS)
  await all(async (observer) => ((await observer.latest()).latest[fresh.flag_key] ?? 0) >= fresh.value)
}

async function someWrites(writer: Writer, atMost: number): Promise<void> {
  const wanted = writer.acknowledged.length + Math.floor(Math.random() * atMost)
  await eventually(() => writer.acknowledged.length >= wanted, RECONNECTED_WITHIN_MS)
}

async function everyoneHasTheLast(observers: readonly SdkClient[], writer: Writer): Promise<void> {
  const last = new Map(writer.acknowledged.map(({ flag_key, value }) => [flag_key, value]))
  await eventually(async () => {
    const latest = await Promise.all(observers.map((observer) => observer.latest()))
    return latest.every((seen) => [...last].every(([key, value]) => (seen.latest[key] ?? 0) >= value))
  })
}
