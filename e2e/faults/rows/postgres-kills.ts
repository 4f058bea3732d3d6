import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { COUNTERS } from '../../harness/crash-repeatedly.ts'
import type { Stage } from '../../harness/open-stage.ts'
import { readStoredWrites } from '../../harness/read-stored-writes.ts'
import { findEmbeddedPostgres, startPostgres } from '../../harness/start-postgres.ts'
import { startSdkClient } from '../../harness/start-sdk-client.ts'
import { type ServerOptions, startServer } from '../../harness/start-server.ts'
import { writeContinuously } from '../../harness/write-continuously.ts'
import { countWrongValues } from '../assess/count-wrong-values.ts'
import { findLostWrites } from '../assess/find-lost-writes.ts'
import { findOtherAnswers } from '../assess/find-other-answers.ts'
import { inThousands, percentile } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { findPostgresProcesses, signalAll } from '../postgres-processes.ts'
import { putCounters } from '../put-counters.ts'

const KILLS = { short: 2, full: 200 }
/** The number of acknowledged writes, after the last recovery, within which a kill falls. */
const WRITES_BEFORE_KILL = 60
const PATIENCE_MS = 60_000

interface Run {
  readonly lost: number
  readonly torn: number
  readonly wrong: number
  readonly acknowledged: number
  readonly sentPerSecond: number
  readonly recoveries: readonly number[]
  readonly broken: readonly string[]
}

export const fault: Fault = {
  group: 'crashes',
  title:
    'SIGKILL of PostgreSQL (its first process and single sessions in turn) with attempts to write 200 times a second',
  promise:
    'Writes are refused with 503 and Retry-After until PostgreSQL is available again, and then work without a restart. No acknowledged write is lost, and none is stored in part. SDKs keep evaluating.',
  async run(stage, scale) {
    const kills = countOf(scale, KILLS)
    const embedded = Math.floor(kills / 2)
    const runs = await Promise.all([
      killExternal(stage, kills - embedded),
      ...(scale === 'full' ? [killEmbedded(stage, embedded)] : []),
    ])
    const total = (field: 'lost' | 'torn' | 'wrong' | 'acknowledged') =>
      runs.reduce((sum, run) => sum + run[field], 0)
    const recoveries = runs.flatMap((run) => run.recoveries)
    const broken = runs.flatMap((run) => run.broken)
    if (total('lost') > 0) broken.push(`${total('lost')} acknowledged writes were lost.`)
    if (total('torn') > 0) broken.push(`${total('torn')} writes were stored in part.`)
    if (total('wrong') > 0) broken.push(`SDKs returned ${total('wrong')} wrong values.`)
    return {
      times: `${recoveries.length} kills${scale === 'full' ? ', half of them of the embedded database' : ''}`,
      seen:
        `${total('lost')} lost and ${total('torn')} stored in part of ${inThousands(total('acknowledged'))} writes, ${runs.map((run) => run.sentPerSecond).join(' and ')} a second; only 503 meanwhile; ` +
        `writes worked again after ${percentile(recoveries, 0.5)} ms (median), ${inThousands(percentile(recoveries, 1))} ms (longest)`,
      broken,
    }
  },
}

async function killExternal(stage: Stage, kills: number): Promise<Run> {
  const postgres = await startPostgres({ synchronous_commit: 'on' })
  const databaseUrl = await postgres.createDatabase()
  return killRepeatedly(stage, {
    kills,
    options: { databaseUrl },
    databaseUrl: async () => databaseUrl,
  }).finally(postgres.close)
}

async function killEmbedded(stage: Stage, kills: number): Promise<Run> {
  const dataDir = stage.folder('data')
  const databaseUrl = async () => (await findEmbeddedPostgres(dataDir)).url
  return killRepeatedly(stage, { kills, options: { dataDir }, databaseUrl })
}

async function killRepeatedly(
  stage: Stage,
  {
    databaseUrl,
    kills,
    options,
  }: { kills: number; options: ServerOptions; databaseUrl: () => Promise<string> },
): Promise<Run> {
  const server = await startServer(stage, options)
  const { url } = server
  const environmentId = await putCounters(url)
  const sdk = startSdkClient(stage, { url, watch: COUNTERS })
  await eventually(async () => (await sdk.status()).isReady)
  const writer = writeContinuously(url, environmentId, COUNTERS)
  const recoveries: number[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const wanted = writer.acknowledged.length + 1 + Math.floor(Math.random() * WRITES_BEFORE_KILL)
    await eventually(() => writer.acknowledged.length >= wanted, PATIENCE_MS)
    const { children, postmaster } = await findPostgresProcesses(await databaseUrl())
    const session = children[Math.floor(Math.random() * children.length)]
    const victim = kill % 2 === 0 || session === undefined ? postmaster : session
    const killedAt = performance.now()
    const failedBefore = writer.unanswered()
    signalAll([victim], 'SIGKILL')
    await eventually(() => writer.unanswered() > failedBefore, PATIENCE_MS)
    const before = writer.acknowledged.length
    await eventually(() => writer.acknowledged.length > before, PATIENCE_MS)
    recoveries.push(Math.round(performance.now() - killedAt))
  }
  await writer.stop()
  const stored = await readStoredWrites(await databaseUrl(), environmentId)
  await eventually(async () => {
    const { latest } = await sdk.latest()
    return [...stored.flags].every(([key, value]) => latest[key] === value)
  })
  const observed = await sdk.observed()
  const broken = [...findOtherAnswers(writer)]
  const silent = writer.unanswered() - writer.refused.length
  if (silent > 0) broken.push(`${silent} writes got no response.`)
  if (observed.stale > 0) broken.push(`The SDK lost its stream ${observed.stale} times.`)
  await server.stop()
  return {
    ...findLostWrites(writer.acknowledged, stored),
    wrong: countWrongValues([observed], stored),
    acknowledged: writer.acknowledged.length,
    sentPerSecond: writer.perSecond(),
    recoveries,
    broken,
  }
}
