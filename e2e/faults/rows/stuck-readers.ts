import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { callApi, putFlag } from '../../harness/call-api.ts'
import { COUNTERS } from '../../harness/crash-repeatedly.ts'
import { startStreamCrowd } from '../../harness/start-stream-crowd.ts'
import { writeContinuously } from '../../harness/write-continuously.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { peakMb, resetPeak, residentMb } from '../process-usage.ts'
import { openPlace } from '../shared-server.ts'

const READERS = { short: 20, full: 1_000 }
/** The characters of each flag, so that a reader exceeds its bound within seconds. */
const DESCRIPTION_CHARACTERS = { short: 32_000, full: 4_000 }
const SETTLE_MS = { short: 500, full: 10_000 }
const CUT_WITHIN_MS = 20_000
const MEMORY_MAX_MB = 100
const PATIENCE_MS = 90_000

export const fault: Fault = {
  group: 'reads',
  title: '1,000 readers of a stream that stop reading, with attempts to write 200 flags of 4 KB a second',
  promise: 'Each is disconnected within 20 s, and the server needs at most 100 MB more.',
  async run(stage, scale) {
    const readers = countOf(scale, READERS)
    const { environmentId, headers, pid, sdkKey, url } = await openPlace()
    for (const key of COUNTERS) {
      const description = 'x'.repeat(DESCRIPTION_CHARACTERS[scale])
      await putFlag(url, environmentId, { key, flag_type: 'integer', default_value: 0, description }, headers)
    }
    const crowd = startStreamCrowd(stage, { url, count: readers, key: sdkKey, reconnect: false })
    await eventually(async () => (await crowd.status()).ready === readers, PATIENCE_MS)
    const writer = writeContinuously(url, environmentId, COUNTERS, headers)
    await delay(SETTLE_MS[scale])
    const before = residentMb(pid)
    resetPeak(pid)
    await crowd.pause()
    const pausedAt = performance.now()
    const streams = async () => {
      const path = `/api/environments/${environmentId}/connections`
      const { body } = await callApi(url, 'GET', path, undefined, headers)
      return Number(body.streams)
    }
    await eventually(async () => (await streams()) === 0, PATIENCE_MS)
    const cutMs = Math.round(performance.now() - pausedAt)
    const more = peakMb(pid) - before
    await writer.stop()
    const broken: string[] = []
    if (scale === 'full' && cutMs > CUT_WITHIN_MS)
      broken.push(`The last reader was disconnected after ${inThousands(cutMs)} ms.`)
    if (scale === 'full' && more > MEMORY_MAX_MB) broken.push(`The server needed ${more} MB more.`)
    if (writer.unanswered() > 0) broken.push(`${writer.unanswered()} writes failed.`)
    return {
      times: `${inThousands(readers)} readers`,
      seen: `all disconnected after ${inThousands(cutMs)} ms, ${more} MB more than the ${before} MB before; ${inThousands(writer.acknowledged.length)} writes, ${writer.perSecond()} a second, none refused`,
      broken,
    }
  },
}
