import { randomUUID } from 'node:crypto'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { openSocket, type RawSocket } from '../../../packages/server/test/harness/open-socket.ts'
import { callApi, environmentOf, putFlag, signIn } from '../../harness/call-api.ts'
import { SDK_KEY, startServer } from '../../harness/start-server.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const CLIENTS = { short: 20, full: 300 }
const LOOKS = 20

export const fault: Fault = {
  group: 'connections',
  title: 'Clients with streams to two servers, of which the later one ends',
  promise:
    'Each client is counted once, as long as one of its streams is open. A change that they have not confirmed is never said to be received by all.',
  async run(stage, scale) {
    const count = CLIENTS[scale]
    const databaseUrl = await createSharedDatabase()
    const first = await startServer(stage, { databaseUrl })
    const second = await startServer(stage, { databaseUrl })
    const environmentId = await environmentOf(first.url)
    const admin = await signIn(first.url)
    const read = async (url: string) =>
      (await callApi(url, 'GET', `/api/environments/${environmentId}/propagation`, undefined, admin)).body
        .clients
    const open = async (url: string, id: string): Promise<RawSocket> => {
      const socket = await openSocket(url)
      socket.send(
        `GET /stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SDK_KEY}\r\nX-Burgee-Client: id=${id}, app=twice, sdk=js/1.0.0\r\n\r\n`,
      )
      await socket.until(/event: ready/)
      return socket
    }
    const ids = Array.from({ length: count }, () => randomUUID())
    const earlier: RawSocket[] = []
    const later: RawSocket[] = []
    for (const id of ids) earlier.push(await open(first.url, id))
    await eventually(async () => (await read(first.url)).total === count)
    for (const id of ids) later.push(await open(second.url, id))
    const broken: string[] = []
    const look = async (when: string) => {
      for (const { url } of [first, second]) {
        const { current, total } = await read(url)
        if (total !== count) broken.push(`${total} of ${count} clients were counted ${when}`)
        if (current > 0 && when.startsWith('after')) broken.push(`${current} were current ${when}`)
      }
    }
    await look('with two streams each')
    await putFlag(first.url, environmentId, { key: 'unconfirmed' })
    for (const socket of later) socket.destroy()
    for (let nth = 0; nth < LOOKS; nth += 1) {
      await look('after the later streams ended')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    for (const socket of earlier) socket.destroy()
    await eventually(async () => (await read(second.url)).total === 0).catch(() =>
      broken.push('clients without a stream are still counted'),
    )
    await first.stop()
    await second.stop()
    return {
      times: `${count} clients, ${2 * LOOKS} counts`,
      seen: `${count} counted each time`,
      broken: [...new Set(broken)],
    }
  },
}
