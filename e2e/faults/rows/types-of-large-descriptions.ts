import { bearer, callApi, environmentOf, putFlag } from '../../harness/call-api.ts'
import { startMeasuredServer } from '../../harness/longest-turn.ts'
import { SDK_KEY } from '../../harness/start-server.ts'
import { watchServer } from '../../harness/watch-server.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const FLAGS = { short: 12, full: 100 }
const READERS = { short: 4, full: 20 }
const LARGE = 'x'.repeat(1_000_000)
/** The flags whose values exceed one response. */
const LARGE_VALUES = 18
const GROWN_MAX_MIB = 200
const TURN_MAX_MS = { short: 100, full: 50 }

export const fault: Fault = {
  group: 'reads',
  title: 'Types and manifests of flags with descriptions and values of 1 MB, read by many at the same time',
  promise:
    'Descriptions are cut before they are read. What exceeds 16 MiB is refused with its size, and never sent in part. Other requests are answered meanwhile, and memory stays bounded.',
  async run(stage, scale) {
    const databaseUrl = await createSharedDatabase()
    const env = { ENVIRONMENT_WIRE_MB: '256' }
    const server = await startMeasuredServer(stage, { databaseUrl, env })
    const { url } = server
    const environmentId = await environmentOf(url)
    const broken: string[] = []
    for (let nth = 0; nth < FLAGS[scale]; nth += 1)
      await putFlag(url, environmentId, { key: `described-${nth}`, description: LARGE })
    const read = async (path: string, status: number) => {
      const response = await fetch(url + path, { headers: bearer(SDK_KEY) })
      const text = await response.text()
      if (response.status !== status) broken.push(`${path} returned ${response.status}`)
      if (status === 400 && !text.includes('at most 16 MiB')) broken.push('a refusal names no limit')
    }
    const types = `/api/environments/${environmentId}/types.ts`
    const manifest = '/openfeature/v0/manifest'
    const readAll = (manifestStatus: number) =>
      Promise.all(
        Array.from({ length: READERS[scale] }, (_, nth) =>
          nth % 2 === 0 ? read(types, 200) : read(manifest, manifestStatus),
        ),
      )
    await server.longestTurnMs()
    const watched = await watchServer(server, async () => {
      await readAll(200)
      for (let nth = 0; nth < LARGE_VALUES; nth += 1) {
        const value = { flag_type: 'string', default_value: 'x', disabled_value: LARGE }
        await putFlag(url, environmentId, { key: `valued-${nth}`, ...value })
      }
      await server.longestTurnMs()
      await readAll(400)
    })
    const turnMs = await server.longestTurnMs()
    const { status } = await callApi(url, 'GET', '/health')
    await server.stop()
    if (status !== 200) broken.push(`/health returned ${status}`)
    if (watched.healthFailures > 0) broken.push(`/health failed ${watched.healthFailures} times`)
    if (watched.grownMib > GROWN_MAX_MIB) broken.push(`the process grew by ${watched.grownMib} MiB`)
    if (turnMs > TURN_MAX_MS[scale]) broken.push(`a turn took ${turnMs.toFixed(0)} ms of processor time`)
    return {
      times: `${2 * READERS[scale]} reads of ${FLAGS[scale]} MB`,
      seen: `${watched.grownMib} MiB more memory, longest turn ${turnMs.toFixed(0)} ms of processor time, /health within ${watched.slowestHealthMs} ms`,
      broken,
    }
  },
}
