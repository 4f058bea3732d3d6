import { openRawRequest } from '../../harness/open-raw-request.ts'
import { watchServer } from '../../harness/watch-server.ts'
import { PATIENCE_MS } from '../../harness/within.ts'
import type { Fault } from '../fault.ts'
import { openLargePlace } from '../shared-server.ts'

const READERS = { short: 10, full: 200 }
const GROWN_MAX_MIB = 350
const NEWLINE = 0x0a

export const fault: Fault = {
  group: 'reads',
  title: 'Readers of the audit export that stop reading',
  promise:
    'All of them together need at most 350 MB, with entries of 2 MB. An export that is read completes meanwhile.',
  async run(_stage, scale) {
    const readers = READERS[scale]
    const place = await openLargePlace(scale)
    const { admin, auditEntries, projectId, url } = place
    const path = `/api/projects/${projectId}/audit`
    const headers = { cookie: admin.cookie ?? '', accept: 'application/x-ndjson' }
    const broken: string[] = []
    let lines = 0
    const watched = await watchServer(place, async () => {
      for (let reader = 0; reader < readers; reader += 1) {
        const stalled = await openRawRequest(url, 'GET', path, headers)
        stalled.pause()
      }
      const answer = await fetch(url + path, { headers, signal: AbortSignal.timeout(10 * PATIENCE_MS) })
      // As a text it would exceed the maximum length of texts.
      for await (const bytes of answer.body ?? []) for (const byte of bytes) if (byte === NEWLINE) lines += 1
    })
    if (lines < auditEntries) broken.push(`an export had ${lines} lines`)
    if (watched.healthFailures > 0) broken.push(`/health failed ${watched.healthFailures} times`)
    if (watched.grownMib > GROWN_MAX_MIB) broken.push(`memory grew by ${watched.grownMib} MiB`)
    return {
      times: `${readers} readers`,
      seen: `${lines} lines read meanwhile, memory grew by ${watched.grownMib} MiB, /health within ${watched.slowestHealthMs} ms`,
      broken,
    }
  },
}
