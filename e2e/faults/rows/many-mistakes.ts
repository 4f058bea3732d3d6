import { PATIENCE_MS } from '../../harness/within.ts'
import { assessGaps, measureGaps } from '../assess/measure-gaps.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { openPlace } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 50 }
const BYTES = 1024 * 1024 - 1_000

const list = (unit: string) => `[${`${unit},`.repeat(Math.floor((BYTES - 10) / (unit.length + 1)))}${unit}]`

/** Bodies of 1 MiB in which nearly every byte is an error, and a URL that used to take a second to log. */
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
  title: 'Flags with 1 MiB of invalid fields, and URLs of 15 KB',
  promise: 'Each is refused with a list of at most 50 problems. Other requests are answered meanwhile.',
  async run(_stage, scale) {
    const place = await openPlace()
    const path = `/api/environments/${place.environmentId}/flags`
    const headers = { ...place.headers, 'content-type': 'application/json' }
    const broken: string[] = []
    const send = async (body: string | null) => {
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const response =
        body === null
          ? await fetch(place.url + LONG_PATH, { headers, signal })
          : await fetch(place.url + path, { method: 'POST', headers, body, signal })
      const { details = [] } = Object(await response.json())
      const isRefused = response.status === (body === null ? 404 : 422)
      if (!isRefused || details.length > 50)
        broken.push(`status ${response.status} with ${details.length} problems`)
    }
    const pieces = Array.from({ length: countOf(scale, ROUNDS) }, () =>
      [...BODIES, null].map((body) => () => send(body)),
    ).flat()
    const gaps = assessGaps(await measureGaps(place, pieces), scale)
    return {
      times: `${pieces.length} requests`,
      seen: `all refused; ${gaps.seen}`,
      broken: [...broken, ...gaps.broken],
    }
  },
}
