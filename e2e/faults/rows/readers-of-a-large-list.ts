import { watchServer } from '../../harness/watch-server.ts'
import { PATIENCE_MS } from '../../harness/within.ts'
import type { Fault } from '../fault.ts'
import { openLargePlace } from '../shared-server.ts'

const READERS = { short: 20, full: 1_000 }
/** The timeout of all readers together: ten gigabytes at full scale. */
const READ_WITHIN_MS = 10 * PATIENCE_MS
const PEAK_MAX_MIB = 600

export const fault: Fault = {
  group: 'reads',
  title: 'Readers of a large list at the same time, with a heap of 512 MB',
  promise:
    'Responses wait for memory. Requests that get none in time are refused with 503 and Retry-After. No request fails otherwise.',
  async run(_stage, scale) {
    const readers = READERS[scale]
    const place = await openLargePlace(scale)
    const { environmentId, flags, headers, url } = place
    const broken: string[] = []
    const counts = { answered: 0, refused: 0 }
    const read = async () => {
      const answer = await fetch(`${url}/api/environments/${environmentId}/flags`, {
        headers,
        signal: AbortSignal.timeout(READ_WITHIN_MS),
      })
      const { byteLength } = await answer.arrayBuffer()
      if (answer.status === 200 && byteLength > 0) counts.answered += 1
      else if (answer.status === 503 && answer.headers.has('retry-after')) counts.refused += 1
      else broken.push(`a reader got ${answer.status}`)
    }
    const watched = await watchServer(place, async () => {
      await Promise.all(Array.from({ length: readers }, read))
    })
    if (counts.answered === 0) broken.push('no reader got a response')
    if (watched.healthFailures > 0) broken.push(`/health failed ${watched.healthFailures} times`)
    if (watched.peakMib > PEAK_MAX_MIB) broken.push(`the process used ${watched.peakMib} MiB`)
    return {
      times: `${readers} readers of ${flags} MB`,
      seen: `${counts.answered} returned, ${counts.refused} refused with 503, ${watched.peakMib} MiB of memory, /health within ${watched.slowestHealthMs} ms`,
      broken,
    }
  },
}
