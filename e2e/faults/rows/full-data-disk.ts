import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { callApi } from '../../harness/call-api.ts'
import { COUNTERS } from '../../harness/crash-repeatedly.ts'
import { readStoredWrites } from '../../harness/read-stored-writes.ts'
import { findEmbeddedPostgres } from '../../harness/start-postgres.ts'
import { startSdkClient } from '../../harness/start-sdk-client.ts'
import { startServer } from '../../harness/start-server.ts'
import { writeContinuously } from '../../harness/write-continuously.ts'
import { countWrongValues } from '../assess/count-wrong-values.ts'
import { findLostWrites } from '../assess/find-lost-writes.ts'
import { findOtherAnswers } from '../assess/find-other-answers.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import { fillDisk, onSmallDisk, seenBy, whyNoSmallDisk } from '../disk/small-disk.ts'
import type { Fault } from '../fault.ts'
import { putCounters } from '../put-counters.ts'

const TIMES = { short: 1, full: 10 }
const DISK_SIZE = '200m'
/**
 * The writes that are refused while the disk is full: enough to meet a full heap and a full write-ahead log.
 */
const REFUSALS = { short: 20, full: 500 }
/** The writes that are stored before the disk is full again. */
const WRITES_BETWEEN = { short: 8, full: 500 }
const PATIENCE_MS = 60_000

export const fault: Fault = {
  group: 'dependencies',
  title: 'The disk of the embedded database is full, with attempts to write 200 times a second',
  promise:
    'Writes are refused with 503 and Retry-After. `/ready` returns 503; `/health` and snapshots return 200. SDKs keep evaluating. When there is space again, writes work without a restart. No write is lost or stored in part.',
  async run(stage, scale) {
    const skipped = whyNoSmallDisk()
    if (skipped !== null) return { times: '', seen: '', broken: [], skipped }
    const dataDir = stage.folder('data')
    const server = await startServer(stage, { dataDir, launcher: onSmallDisk(dataDir, DISK_SIZE) })
    const { url } = server
    const disk = seenBy(server.pid, dataDir)
    const environmentId = await putCounters(url)
    const sdk = startSdkClient(stage, { url, watch: COUNTERS })
    await eventually(async () => (await sdk.status()).isReady)
    const writer = writeContinuously(url, environmentId, COUNTERS)
    const statusOf = async (path: string) => (await callApi(url, 'GET', path)).status
    const broken: string[] = []
    const recoveries: number[] = []
    const times = countOf(scale, TIMES)
    for (let time = 0; time < times; time += 1) {
      const free = fillDisk(disk)
      const refusedBefore = writer.refused.length
      await eventually(() => writer.refused.length >= refusedBefore + REFUSALS[scale], PATIENCE_MS)
      await eventually(async () => (await statusOf('/ready')) === 503)
      for (const path of ['/health', '/flags/snapshot']) {
        const status = await statusOf(path)
        if (status !== 200) broken.push(`${path} returned ${status}.`)
      }
      free()
      const freedAt = performance.now()
      const acknowledgedBefore = writer.acknowledged.length
      const stored = () => writer.acknowledged.length - acknowledgedBefore
      await eventually(() => stored() > 0, PATIENCE_MS)
      recoveries.push(Math.round(performance.now() - freedAt))
      await eventually(() => stored() >= WRITES_BETWEEN[scale], PATIENCE_MS)
      await eventually(async () => (await statusOf('/ready')) === 200, PATIENCE_MS)
    }
    await writer.stop()
    const stored = await readStoredWrites((await findEmbeddedPostgres(disk)).url, environmentId)
    await eventually(async () => {
      const { latest } = await sdk.latest()
      return [...stored.flags].every(([key, value]) => latest[key] === value)
    })
    const { lost, torn } = findLostWrites(writer.acknowledged, stored)
    const wrong = countWrongValues([await sdk.observed()], stored)
    if (lost + torn > 0) broken.push(`${lost} writes were lost and ${torn} stored in part.`)
    if (wrong > 0) broken.push(`The SDK returned ${wrong} wrong values.`)
    await server.stop()
    return {
      times: `${times} times`,
      seen:
        `${inThousands(writer.refused.length)} writes refused, ${inThousands(writer.acknowledged.length)} stored, ${writer.perSecond()} sent a second; ${lost} lost, ${torn} stored in part; ` +
        `${wrong} wrong values; writes worked again within ${inThousands(Math.max(...recoveries))} ms`,
      broken: [...broken, ...findOtherAnswers(writer)],
    }
  },
}
