import { endpoints } from '@burgee/contract'
import { METRICS_TOKEN } from '../../harness/loop-delay.ts'
import { startServer } from '../../harness/start-server.ts'
import { watchServer } from '../../harness/watch-server.ts'
import { openLargeWorld } from '../../reads/open-large-world.ts'
import { readWorst } from '../../reads/read-worst.ts'
import { listWorstReads } from '../../reads/worst-reads.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

/** With the flags that the world has anyway, these are 110 MB. */
const WORLDS = {
  short: { described: 4, valued: 4, ordinary: 500, others: 2 },
  full: { described: 45, valued: 45, ordinary: 1_000, others: 3 },
}
const ROUNDS = { short: 1, full: 3 }
const AT_ONCE = 8
const ONE_READER_MAX_MIB = 600
const EIGHT_READERS_MAX_MIB = 700

export const fault: Fault = {
  group: 'reads',
  title:
    'The largest response of every GET, one after another, and then eight pages of 16 MiB at once, beside 110 MB of flags',
  promise:
    'Every request is answered. The process takes at most 600 MiB with one reader, and 700 MiB with eight at once.',
  async run(stage, scale) {
    const databaseUrl = await createSharedDatabase()
    const env = { METRICS_TOKEN, ENVIRONMENT_WIRE_MB: '256' }
    const server = await startServer(stage, { databaseUrl, env })
    const world = await openLargeWorld(server.url, WORLDS[scale])
    const broken: string[] = []
    const reads = listWorstReads()
    const one = await watchServer(server, async () => {
      for (let round = 0; round < ROUNDS[scale]; round += 1) {
        for (const { endpoint, name, row } of reads) {
          const { status } = await readWorst(server.url, world, endpoint, row)
          if (status !== (row.status ?? 200)) broken.push(`${name} returned ${status}`)
        }
      }
    })
    const page = { bound: 'page', query: () => 'limit=200' } as const
    const eight = await watchServer(server, async () => {
      for (let round = 0; round < ROUNDS[scale]; round += 1) {
        const pages = Array.from({ length: AT_ONCE }, () =>
          readWorst(server.url, world, endpoints.listEnvironmentAudit, page),
        )
        for (const { status } of await Promise.all(pages))
          if (status !== 200) broken.push(`a page returned ${status}`)
      }
    })
    await server.stop()
    if (one.peakMib > ONE_READER_MAX_MIB) broken.push(`one reader took the process to ${one.peakMib} MiB`)
    if (eight.peakMib > EIGHT_READERS_MAX_MIB) broken.push(`eight took the process to ${eight.peakMib} MiB`)
    if (one.healthFailures + eight.healthFailures > 0) broken.push('/health failed')
    return {
      times: `${reads.length * ROUNDS[scale]} responses, then ${AT_ONCE * ROUNDS[scale]}`,
      seen: `${one.peakMib} MiB with one reader, ${eight.peakMib} MiB with eight at once; /health within ${Math.max(one.slowestHealthMs, eight.slowestHealthMs)} ms`,
      broken,
    }
  },
}
