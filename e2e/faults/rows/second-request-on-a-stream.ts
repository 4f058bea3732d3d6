import { callApi, environmentOf } from '../../harness/call-api.ts'
import { openRawRequest } from '../../harness/open-raw-request.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import type { Fault } from '../fault.ts'

const TIMES = { short: 3, full: 1_000 }

export const fault: Fault = {
  group: 'connections',
  title: 'A second request on the connection of an open stream',
  promise: 'The connection is closed; the server goes on.',
  async run(stage, scale) {
    const server = await startServer(stage, { data_dir: stage.folder('data') })
    await environmentOf(server.url)
    const broken: string[] = []
    for (let time = 0; time < TIMES[scale]; time += 1) {
      const stream = await openRawRequest(server.url, 'GET', '/stream', {
        authorization: `Bearer ${SDK_KEY}`,
      })
      await stream.until(/event: ready/)
      stream.write('GET /health HTTP/1.1\r\nHost: burgee\r\n\r\n')
      await stream.ended
    }
    const { status } = await callApi(server.url, 'GET', '/health')
    if (status !== 200) broken.push(`/health answered ${status}`)
    await server.stop()
    return { times: `${TIMES[scale]} connections`, seen: 'every connection was closed', broken }
  },
}
