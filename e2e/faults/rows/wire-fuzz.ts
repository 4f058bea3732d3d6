import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { callApi, environmentOf } from '../../harness/call-api.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import type { Fault } from '../fault.ts'
import { readProcess } from '../process-figures.ts'
import { createSharedDatabase } from '../shared-postgres.ts'
import { runWireFuzz } from '../wire/run-wire-fuzz.ts'

const CONNECTIONS = { short: 200, full: 200_000 }
const LANES = { short: 32, full: 128 }
/**
 * The connections that run before memory and descriptors are first read: caches are filled, code is compiled.
 */
const WARM_UP = { short: 100, full: 20_000 }
const MAX_GROWTH_MB = 100
/** The tolerance for connections to the database, which vary. */
const FILES_TOLERANCE = 8
const SETTLE_MS = 60_000
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 12)

export const fault: Fault = {
  group: 'connections',
  title: 'Valid and invalid HTTP in random pieces: pipelined, truncated, chunked, half-closed, reset',
  promise: 'Every request gets its own response or none. Memory and file descriptors are released.',
  async run(stage, scale) {
    const server = await startServer(stage, {
      databaseUrl: await createSharedDatabase(),
      env: { LOG_LEVEL: 'error', RATE_LIMIT_UNKNOWN_BEARERS: '10000000' },
    })
    const target = { sdkKey: SDK_KEY, environmentId: await environmentOf(server.url) }
    const port = Number(new URL(server.url).port)
    const run = (from: number, connections: number) =>
      runWireFuzz({ port, target, seed: SEED, from, connections, lanes: LANES[scale] })

    const broken = await run(0, WARM_UP[scale])
    const before = readProcess(server.pid)
    const startedMs = performance.now()
    broken.push(...(await run(WARM_UP[scale], CONNECTIONS[scale])))
    const perSecond = Math.round((CONNECTIONS[scale] / (performance.now() - startedMs)) * 1_000)

    const { status } = await callApi(server.url, 'GET', '/health')
    if (status !== 200) broken.push(`/health returned ${status}`)
    if (before) {
      await eventually(() => {
        const files = readProcess(server.pid)?.openFiles ?? 0
        return files <= before.openFiles + FILES_TOLERANCE
      }, SETTLE_MS).catch(() => broken.push('file descriptors were not released'))
    }
    const after = readProcess(server.pid)
    if (before && after && after.residentMb > before.residentMb + MAX_GROWTH_MB)
      broken.push(`memory grew from ${before.residentMb} to ${after.residentMb} MB`)
    const failures = server.output().match(/"level":"(?:error|fatal)"[^\n]*/g) ?? []
    broken.push(...failures.slice(0, 5))
    await server.stop()
    return {
      times: `${CONNECTIONS[scale].toLocaleString('en-US')} connections, seed ${SEED}`,
      seen: `${broken.length} wrong responses; ${perSecond} connections a second; memory ${before?.residentMb} MB before and ${after?.residentMb} MB after; file descriptors ${before?.openFiles} and ${after?.openFiles}`,
      broken: broken.slice(0, 20),
    }
  },
}
