import { callApi } from '../../harness/call-api.ts'
import { watchServer } from '../../harness/watch-server.ts'
import { PATIENCE_MS } from '../../harness/within.ts'
import type { Fault } from '../fault.ts'
import { openLargePlace } from '../shared-server.ts'

const SCALES = {
  short: { readers: 3, rounds: 1 },
  full: { readers: 8, rounds: 10 },
}
const ANSWER_MAX_BYTES = 16 * 1024 * 1024
const UNHEALTHY_MS = 2_000

export const fault: Fault = {
  group: 'reads',
  title:
    'Eight requests for 200 audit entries each at the same time, with flags of 1 MB and a heap of 512 MB',
  promise:
    'Every page has at most 16 MiB and a cursor for the next one. Requests that get no memory in time are refused with 503 and Retry-After. The server keeps running.',
  async run(_stage, scale) {
    const { readers, rounds } = SCALES[scale]
    const place = await openLargePlace(scale)
    const { environmentId, headers, url } = place
    const broken: string[] = []
    const counts = { answered: 0, refused: 0 }
    let largest = 0
    const read = async () => {
      const answer = await fetch(`${url}/api/environments/${environmentId}/audit?limit=200`, {
        headers,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const { byteLength } = await answer.arrayBuffer()
      largest = Math.max(largest, byteLength)
      if (answer.status === 503 && answer.headers.has('retry-after')) counts.refused += 1
      else if (answer.status === 200) counts.answered += 1
      else broken.push(`a page returned ${answer.status}`)
      if (answer.status === 200 && !answer.headers.has('x-next-cursor'))
        broken.push('a page named no next one')
    }
    const watched = await watchServer(place, async () => {
      for (let round = 0; round < rounds; round += 1) await Promise.all(Array.from({ length: readers }, read))
    })
    if (counts.answered === 0) broken.push('no page was returned')
    if (largest > ANSWER_MAX_BYTES) broken.push(`a response had ${largest} bytes`)
    if (watched.healthFailures > 0) broken.push(`/health failed ${watched.healthFailures} times`)
    if (watched.slowestHealthMs > UNHEALTHY_MS) broken.push(`/health took ${watched.slowestHealthMs} ms`)
    const { status } = await callApi(
      url,
      'GET',
      `/api/environments/${environmentId}/flags/large-0`,
      undefined,
      headers,
    )
    if (status !== 200) broken.push(`a write of a flag returned ${status}`)
    return {
      times: `${readers * rounds} pages`,
      seen: `${counts.answered} returned, ${counts.refused} refused with 503; at most ${(largest / 1e6).toFixed(1)} MB a response, ${watched.peakMib} MiB of memory, /health within ${watched.slowestHealthMs} ms`,
      broken,
    }
  },
}
