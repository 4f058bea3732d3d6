import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { askProgram } from '../../harness/ask-program.ts'
import { callApi, patchFlag, putFlag } from '../../harness/call-api.ts'
import { startSdkClient } from '../../harness/start-sdk-client.ts'
import { inThousands, percentile } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { countDescriptors, residentMb } from '../process-usage.ts'
import { openPlace } from '../shared-server.ts'

const SECONDS = { short: 1, full: 600 }
/** The share of the run after which memory is compared, when caches and heap have their size. */
const WARM_SHARE = 1 / 3
const MEMORY_GROWTH_MAX_MB = 50
const DESCRIPTORS_MORE = 10
/** The growth of descriptors: those of the attackers vary. */
const DESCRIPTORS_GROWTH_MAX = 50
const SETTLED_WITHIN_MS = 60_000
const HONEST_EVERY_MS = 100

interface Done {
  readonly done: Readonly<Record<string, number>>
  readonly statuses: Readonly<Record<string, number>>
}

export const fault: Fault = {
  group: 'connections',
  title:
    'All of these at the same time, at full speed: random bytes, invalid requests, random keys, tokens and sessions, failed logins, large bodies, streams that are opened and left, readers that stop reading, many reports',
  promise:
    'Memory and file descriptors do not grow. Valid requests are answered and valid streams stay open. The only 5xx status is 503.',
  async run(stage, scale) {
    const seconds = countOf(scale, SECONDS)
    const { createKey, environmentId, headers, pid, sdkKey, url } = await openPlace()
    const clientKey = await createKey('client')
    await putFlag(url, environmentId, { key: 'honest', flag_type: 'integer', default_value: 0 }, headers)
    const sdk = startSdkClient(stage, { url, sdkKey })
    await eventually(async () => (await sdk.status()).isReady)
    const descriptorsBefore = countDescriptors(pid)
    const port = Number(new URL(url).port)
    const ask = askProgram(stage, 'abuse.mjs', { port, environmentId, clientKey, serverKey: sdkKey })
    const end = performance.now() + seconds * 1_000
    const warmAt = performance.now() + seconds * 1_000 * WARM_SHARE
    const memory: number[] = []
    const descriptors: number[] = []
    const latencies: number[] = []
    const problems = new Set<string>()
    for (let value = 1; performance.now() < end; value += 1) {
      const startedAt = performance.now()
      await patchFlag(url, environmentId, 'honest', { default_value: value }, headers).catch(
        (error: unknown) => {
          problems.add(`A write failed: ${error instanceof Error ? error.message : String(error)}.`)
        },
      )
      latencies.push(performance.now() - startedAt)
      const { status } = await callApi(url, 'GET', '/flags/snapshot', undefined, headers)
      if (status !== 200) problems.add(`A snapshot returned ${status}.`)
      if (performance.now() > warmAt) {
        memory.push(residentMb(pid))
        descriptors.push(countDescriptors(pid))
      }
      await delay(HONEST_EVERY_MS)
    }
    const { done, statuses } = await ask<Done>('stop')
    await eventually(
      () => countDescriptors(pid) <= descriptorsBefore + DESCRIPTORS_MORE,
      SETTLED_WITHIN_MS,
    ).catch(() => {
      problems.add(`${countDescriptors(pid) - descriptorsBefore} descriptors more are open a minute later.`)
    })
    const mb = firstAndLast(memory)
    const open = firstAndLast(descriptors)
    if (scale === 'full' && mb.late - mb.early > MEMORY_GROWTH_MAX_MB)
      problems.add(`Memory grew by ${mb.late - mb.early} MB.`)
    if (scale === 'full' && open.late - open.early > DESCRIPTORS_GROWTH_MAX)
      problems.add(`${open.late - open.early} descriptors more were open at the end.`)
    for (const [kind, times] of Object.entries(done)) if (times === 0) problems.add(`${kind} was never done.`)
    if ((await sdk.observed()).stale > 0) problems.add('A valid stream ended.')
    for (const status of Object.keys(statuses)) {
      if (status.startsWith('5') && status !== '503')
        problems.add(`${statuses[status]} responses had status ${status}.`)
    }
    const count = Object.values(done).reduce((sum, one) => sum + one, 0)
    return {
      times: `${seconds} s, ${inThousands(count)} connections`,
      seen:
        `memory ${mb.early} MB after a third and ${mb.late} MB at the end, file descriptors ${open.early} and ${open.late}, ` +
        `and as before at the end; the rarest of ${Object.keys(done).length} kinds ${inThousands(Math.min(...Object.values(done)))} times; valid writes ` +
        `${Math.round(percentile(latencies, 0.5))} ms (median), ${Math.round(percentile(latencies, 0.99))} ms (p99); ` +
        `responses ${Object.entries(statuses)
          .map(([status, times]) => `${status}: ${inThousands(times)}`)
          .join(', ')}`,
      broken: [...problems],
    }
  },
}

/** Returns the medians of the first and of the last tenth. */
function firstAndLast(values: readonly number[]): { readonly early: number; readonly late: number } {
  const tenth = Math.max(1, Math.floor(values.length / 10))
  return { early: percentile(values.slice(0, tenth), 0.5), late: percentile(values.slice(-tenth), 0.5) }
}
