import { bearer, environmentOf } from '../../harness/call-api.ts'
import { longestDelayMs, METRICS_TOKEN } from '../../harness/loop-delay.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import type { Fault } from '../fault.ts'

const ROUNDS = { short: 1, full: 100 }
const BYTES = 1024 * 1024 - 1_000
const GAP_MAX_MS = 500

const list = (unit: string) => `[${`${unit},`.repeat(Math.floor((BYTES - 10) / (unit.length + 1)))}${unit}]`

/** Bodies of 1 MiB in which nearly every byte is a mistake, and a URL that used to take a second to write down. */
const BODIES: readonly string[] = [
  `{"key":"a","tags":${list('0')}}`,
  `{"key":"a","is_enabled":true,"rules":[${Array(99_000).fill('{}').join(',')}]}`,
  `{"key":"a","is_enabled":true,"rules":[${Array(99_000).fill('0').join(',')}]}`,
  `{${Array.from({ length: 49_000 }, (_, index) => `"x${index}":0`).join(',')}}`,
  '['.repeat(BYTES),
]
const LONG_PATH = `/api/${'-eyJa'.repeat(3_000)}`

export const fault: Fault = {
  group: 'bodies',
  title: 'Flags of 1 MiB of mistakes, and URLs of 15 KB',
  promise: 'Each is refused with at most 50 problems; other requests are answered meanwhile.',
  async run(stage, scale) {
    const server = await startServer(stage, { data_dir: stage.folder('data'), env: { METRICS_TOKEN } })
    const path = `/api/environments/${await environmentOf(server.url)}/flags`
    const headers = { ...bearer(SDK_KEY), 'content-type': 'application/json' }
    const broken: string[] = []
    const gaps: number[] = []
    for (let round = 0; round < ROUNDS[scale]; round += 1) {
      for (const body of [...BODIES, null]) {
        await longestDelayMs(server.url)
        const response =
          body === null
            ? await fetch(server.url + LONG_PATH, { headers })
            : await fetch(server.url + path, { method: 'POST', headers, body })
        const { details = [] } = Object(await response.json())
        const isRefused = response.status === (body === null ? 404 : 422)
        if (!isRefused || details.length > 50)
          broken.push(`answered ${response.status} with ${details.length} problems`)
        gaps.push(await longestDelayMs(server.url))
      }
    }
    // One request alone says as much of the machine as of the server.
    const typical = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
    if (typical > GAP_MAX_MS) broken.push(`the event loop was held for ${typical.toFixed(0)} ms`)
    await server.stop()
    return {
      times: `${gaps.length} requests`,
      seen: `all refused; longest gap of the event loop ${gaps.at(-1)?.toFixed(0)} ms, typical ${typical.toFixed(0)} ms`,
      broken,
    }
  },
}
