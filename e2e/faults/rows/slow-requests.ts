import { openSocket, type RawSocket } from '../../../packages/server/test/harness/open-socket.ts'
import { bearer, callApi, environmentOf } from '../../harness/call-api.ts'
import { openRawRequest } from '../../harness/open-raw-request.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import { PATIENCE_MS, within } from '../../harness/within.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const CONNECTIONS = { short: 100, full: 2_000 }
/** The timeout; the default at full scale. */
const TIMEOUT_SECONDS = { short: 1, full: 30 }
/** The interval at which Node checks for late requests. */
const CHECK_MS = 6_000
const DRIP_MS = 250

export const fault: Fault = {
  group: 'bodies',
  title: 'Request heads and bodies that are sent one byte at a time',
  promise:
    'Each request gets 408 after REQUEST_TIMEOUT_SECONDS, and its connection is closed. Streams stay open meanwhile.',
  async run(stage, scale) {
    const timeoutMs = TIMEOUT_SECONDS[scale] * 1_000
    const server = await startServer(stage, {
      databaseUrl: await createSharedDatabase(),
      env: { REQUEST_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS[scale]) },
    })
    const environmentId = await environmentOf(server.url)
    const stream = await openRawRequest(server.url, 'GET', '/stream', bearer(SDK_KEY))
    await stream.until(/event: ready/)
    const head = `POST /api/environments/${environmentId}/impressions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SDK_KEY}\r\nContent-Type: application/json\r\n`
    const starts = [`${head}Content-Length: 100000\r\n\r\n`, 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: ']
    const startedMs = performance.now()
    const sockets: RawSocket[] = []
    for (let at = 0; at < CONNECTIONS[scale]; at += 1) {
      const socket = await openSocket(server.url)
      socket.send(starts[at % starts.length] ?? '')
      sockets.push(socket)
    }
    const openedMs = performance.now()
    const drip = setInterval(() => {
      for (const socket of sockets) if (!socket.isClosed()) socket.send(' ')
    }, DRIP_MS)
    const allClosed = Promise.all(sockets.map(({ closed }) => closed))
    await within(timeoutMs + PATIENCE_MS, 'the end of all slow requests', allClosed).finally(() =>
      clearInterval(drip),
    )
    const lastMs = performance.now() - openedMs
    const broken: string[] = []
    const late = sockets.filter((socket) => /^HTTP\/1\.1 408 /.test(socket.text()))
    if (late.length !== sockets.length) broken.push(`${late.length} of ${sockets.length} got 408`)
    if (scale === 'full' && lastMs > timeoutMs + CHECK_MS)
      broken.push(`the last was closed after ${lastMs} ms`)
    if (!/event: ready/.test(stream.text()) || /0\r\n\r\n$/.test(stream.text()))
      broken.push('the stream ended')
    const { status } = await callApi(server.url, 'GET', '/health')
    if (status !== 200) broken.push(`/health returned ${status}`)
    await server.stop()
    return {
      times: `${CONNECTIONS[scale].toLocaleString('en-US')} connections, a time-out of ${TIMEOUT_SECONDS[scale]} s`,
      seen: `${late.length.toLocaleString('en-US')} got 408, the last ${Math.round((performance.now() - startedMs) / 1_000)} s after the first was opened`,
      broken,
    }
  },
}
