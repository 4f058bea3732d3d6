import { openSocket, type RawSocket } from '../../../packages/server/test/harness/open-socket.ts'
import { bearer, callApi, createKeyFor, environmentOf } from '../../harness/call-api.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const LIMIT = { short: 50, full: 2_000 }

export const fault: Fault = {
  group: 'connections',
  title: 'One client key opens twice as many streams as are allowed',
  promise: 'Streams above the limit are refused with 503 and Retry-After. Other keys work as before.',
  async run(stage, scale) {
    const limit = LIMIT[scale]
    const server = await startServer(stage, {
      databaseUrl: await createSharedDatabase(),
      env: { MAX_STREAMS_PER_KEY: String(limit) },
    })
    await environmentOf(server.url)
    const { key } = await createKeyFor(server.url, 'production', 'client')
    const openStream = async (credential: string): Promise<RawSocket> => {
      const socket = await openSocket(server.url)
      socket.send(`GET /stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${credential}\r\n\r\n`)
      await socket.until(/event: ready|HTTP\/1\.1 503[\s\S]*\}$/)
      return socket
    }
    const sockets: RawSocket[] = []
    while (sockets.length < 2 * limit) {
      sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => openStream(key)))))
    }
    const refused = sockets.filter((socket) => /^HTTP\/1\.1 503[\s\S]*retry-after: \d+/i.test(socket.text()))
    const broken: string[] = []
    if (refused.length !== limit) broken.push(`${refused.length} of ${2 * limit} streams were refused`)
    if (!/^HTTP\/1\.1 200/.test((await openStream(SDK_KEY)).text())) broken.push('another key was refused')
    const snapshot = await callApi(server.url, 'GET', '/flags/snapshot', undefined, bearer(key))
    if (snapshot.status !== 200) broken.push(`the snapshot of the key returned ${snapshot.status}`)
    for (const socket of sockets) socket.destroy()
    await server.stop()
    return {
      times: `${(2 * limit).toLocaleString('en-US')} streams, ${limit.toLocaleString('en-US')} allowed`,
      seen: `${refused.length.toLocaleString('en-US')} refused with 503 and Retry-After`,
      broken,
    }
  },
}
