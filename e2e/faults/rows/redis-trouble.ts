import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { COUNTERS } from '../../harness/crash-repeatedly.ts'
import { readStoredWrites } from '../../harness/read-stored-writes.ts'
import { startRedis, whyNoRedis } from '../../harness/start-redis.ts'
import { startSdkClient } from '../../harness/start-sdk-client.ts'
import { startServer } from '../../harness/start-server.ts'
import { writeContinuously } from '../../harness/write-continuously.ts'
import { countWrongValues } from '../assess/count-wrong-values.ts'
import { inThousands, percentile } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { putCounters } from '../put-counters.ts'
import { openRedisProxy, type RedisCondition } from '../redis/open-redis-proxy.ts'
import { createSharedDatabase } from '../shared-postgres.ts'
import { delaysOf, watchRevisions } from '../watch-revisions.ts'

/** The seconds of each condition. */
const SECONDS = { short: 0.3, full: 60 }
const STREAMS_PER_SERVER = 5
const CONDITIONS: readonly RedisCondition[] = ['dead', 'lossy', 'slow', 'well']
const CONVERGED_WITHIN_MS = 2_000

export const fault: Fault = {
  group: 'dependencies',
  title:
    'Redis is stopped, then loses half of its messages, then delays them by 5 s, with attempts to write 200 times a second',
  promise:
    'The clients of two server processes have every write within 2 s. No stream ends, and no client returns an older value.',
  async run(stage, scale) {
    const skipped = whyNoRedis()
    if (skipped !== null) return { times: '', seen: '', broken: [], skipped }
    const seconds = countOf(scale, SECONDS)
    const redis = await startRedis(stage)
    const proxy = await openRedisProxy(Number(new URL(redis.url).port))
    const options = { databaseUrl: await createSharedDatabase(), redisUrl: proxy.url }
    const [left, right] = await Promise.all([startServer(stage, options), startServer(stage, options)])
    const environmentId = await putCounters(left.url)
    const sdk = startSdkClient(stage, { url: right.url, watch: COUNTERS })
    await eventually(async () => (await sdk.status()).isReady)
    const watches = [left, right].flatMap(({ url }) =>
      Array.from({ length: STREAMS_PER_SERVER }, () => watchRevisions(url)),
    )
    const writer = writeContinuously(left.url, environmentId, COUNTERS)
    await eventually(() => watches.every(({ arrivals }) => arrivals.length > 0))
    const firstMeasured = writer.acknowledged.length
    for (const condition of CONDITIONS) {
      proxy.set(condition)
      await delay(seconds * 1_000)
    }
    await writer.stop()
    const stored = await readStoredWrites(options.databaseUrl, environmentId)
    await eventually(() =>
      watches.every(({ arrivals }) => arrivals.at(-1)?.revision === stored.revision),
    ).catch(() => undefined)
    await eventually(async () => {
      const { latest } = await sdk.latest()
      return [...stored.flags].every(([key, value]) => latest[key] === value)
    }).catch(() => undefined)
    const writes = writer.acknowledged.slice(firstMeasured)
    const delays = watches.flatMap((watch) => delaysOf(writes, watch))
    const longest = percentile(delays, 1)
    const wrong = countWrongValues([await sdk.observed()], stored)
    const ended = watches.filter((watch) => watch.hasEnded()).length
    await Promise.all([left.stop(), right.stop()])
    const broken: string[] = []
    if (longest === Number.POSITIVE_INFINITY) broken.push('A stream never got the last writes.')
    else if (scale === 'full' && longest > CONVERGED_WITHIN_MS) {
      broken.push(
        `A client received a write ${inThousands(Math.round(longest))} ms after the response to it.`,
      )
    }
    if (ended > 0) broken.push(`${ended} streams ended.`)
    if (wrong > 0) broken.push(`The SDK returned ${wrong} wrong values.`)
    if (writer.unanswered() > 0) broken.push(`${writer.unanswered()} writes failed.`)
    return {
      times: `${seconds} s of each`,
      seen:
        `${inThousands(writes.length)} writes, ${writer.perSecond()} a second, ${inThousands(proxy.disturbed())} messages lost or late; every client had every write within ` +
        `${inThousands(Math.round(longest))} ms (median ${Math.round(percentile(delays, 0.5))} ms)`,
      broken,
    }
  },
}
