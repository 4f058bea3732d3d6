import { bearer, callApi } from '../../harness/call-api.ts'
import { openRawRequest } from '../../harness/open-raw-request.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import { PATIENCE_MS, within } from '../../harness/within.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const TIMES = { short: 1, full: 100 }
const THROW_ON_REQUEST = new URL('../../programs/throw-on-request.mjs', import.meta.url).href
const FAULT_EXIT_CODE = 70
const MAX_MS = 2_000

export const fault: Fault = {
  group: 'crashes',
  title: 'An uncaught error',
  promise: `The server logs it as fatal and ends with exit code ${FAULT_EXIT_CODE} within 2 s. The next server starts with the same folder.`,
  async run(stage, scale) {
    const place =
      scale === 'full' ? { dataDir: stage.folder('data') } : { databaseUrl: await createSharedDatabase() }
    const broken: string[] = []
    let slowestMs = 0
    for (let time = 0; time < TIMES[scale]; time += 1) {
      const env = { NODE_OPTIONS: `--import ${THROW_ON_REQUEST}` }
      const server = await startServer(stage, { ...place, env })
      const stream = await openRawRequest(server.url, 'GET', '/stream', bearer(SDK_KEY))
      await stream.until(/event: ready/)
      const startedMs = performance.now()
      const signal = AbortSignal.timeout(PATIENCE_MS)
      await fetch(`${server.url}${time % 2 === 0 ? '/throw' : '/reject'}`, { signal }).catch(() => undefined)
      const code = await within(PATIENCE_MS, 'the end of a server with an error', server.exited)
      slowestMs = Math.max(slowestMs, performance.now() - startedMs)
      await within(PATIENCE_MS, 'the end of the stream of a server that ended', stream.ended)
      if (code !== FAULT_EXIT_CODE) broken.push(`the server ended with ${code}`)
      if (!/"level":"fatal".*for a test/.test(server.output())) broken.push('nothing was logged as fatal')
    }
    if (scale === 'full' && slowestMs > MAX_MS) broken.push(`the server took ${slowestMs} ms to end`)
    const server = await startServer(stage, place)
    const { status } = await callApi(server.url, 'GET', '/flags/snapshot')
    if (status !== 200) broken.push(`the next server returned ${status}`)
    await server.stop()
    return {
      times: `${TIMES[scale]} errors`,
      seen: `ended after ${Math.round(slowestMs)} ms at most`,
      broken,
    }
  },
}
