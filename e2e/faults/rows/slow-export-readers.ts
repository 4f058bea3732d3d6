import { callApi, environmentOf, signIn } from '../../harness/call-api.ts'
import { openRawRequest } from '../../harness/open-raw-request.ts'
import { seedLargeFlags } from '../../harness/seed-large-flags.ts'
import { startServer } from '../../harness/start-server.ts'
import { watchServer } from '../../harness/watch-server.ts'
import type { Fault } from '../fault.ts'

const SCALES = {
  short: { flags: 4, changes: 5, readers: 20 },
  full: { flags: 10, changes: 40, readers: 200 },
}
const HEAP_MB = 512
const GROWN_MAX_MIB = 400

export const fault: Fault = {
  group: 'reads',
  title: 'Readers of the audit export that stop reading',
  promise: 'Each holds a megabyte at most; an export that is read completes meanwhile.',
  async run(stage, scale) {
    const { changes, flags, readers } = SCALES[scale]
    const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` }
    const server = await startServer(stage, { data_dir: stage.folder('data'), env })
    const environmentId = await environmentOf(server.url)
    await seedLargeFlags(server.url, environmentId, { count: flags, changes })
    const { cookie = '' } = await signIn(server.url)
    const { body: projects } = await callApi(server.url, 'GET', '/api/projects')
    const path = `/api/projects/${projects[0].id}/audit`
    const headers = { cookie, accept: 'application/x-ndjson' }
    const broken: string[] = []
    let lines = 0
    const watched = await watchServer(server, async () => {
      for (let reader = 0; reader < readers; reader += 1) {
        const stalled = await openRawRequest(server.url, 'GET', path, headers)
        stalled.pause()
      }
      const answer = await fetch(server.url + path, { headers })
      lines = (await answer.text()).trim().split('\n').length
    })
    if (lines < flags * (changes + 1)) broken.push(`an export had ${lines} lines`)
    if (watched.healthFailures > 0) broken.push(`/health failed ${watched.healthFailures} times`)
    if (watched.grownMib > GROWN_MAX_MIB) broken.push(`memory grew by ${watched.grownMib} MiB`)
    await server.stop()
    return {
      times: `${readers} readers`,
      seen: `${lines} lines read meanwhile, memory grew by ${watched.grownMib} MiB, /health within ${watched.slowestHealthMs} ms`,
      broken,
    }
  },
}
