import { openSocket } from '../../../packages/server/test/harness/open-socket.ts'
import { callApi, environmentOf } from '../../harness/call-api.ts'
import { SDK_KEY } from '../../harness/start-server.ts'
import { PATIENCE_MS, within } from '../../harness/within.ts'
import type { Fault } from '../fault.ts'
import { openPlace } from '../shared-server.ts'

const ROUNDS = { short: 1, full: 250 }
const AUTHORIZATION = `Authorization: Bearer ${SDK_KEY}`
const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
const SNAPSHOT = `GET /flags/snapshot HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\n\r\n`
const STREAM = `GET /stream HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\n\r\n`
const FOLLOWERS = [
  HEALTH,
  HEALTH.repeat(3),
  SNAPSHOT,
  STREAM,
  'GET /health HTTP/1.1\r\n\r\n',
  'GET /health HTTP/1.0\r\n\r\n',
  HEALTH.replace('Host', 'Expect: 100-continue\r\nHost'),
  HEALTH.replace('Host', 'Expect: more\r\nHost'),
  'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /hea',
  '\r\n',
  '\x16\x03\x01garbage',
]
/** The length below which it is less than a request. */
const HALF_LENGTH = 10
/** The bytes before the stream's request, and the time when the following ones are sent. */
const WAYS = [
  { before: '', when: 'ready' },
  { before: '', when: 'next packet' },
  { before: '', when: 'same packet' },
  { before: HEALTH, when: 'same packet' },
  { before: SNAPSHOT + SNAPSHOT, when: 'ready' },
] as const

export const fault: Fault = {
  group: 'connections',
  title: 'A second request, or any other bytes, on the connection of a stream',
  promise: 'The connection is closed without another response. The server keeps running.',
  async run(_stage, scale) {
    const server = await openPlace()
    await environmentOf(server.url)
    const broken: string[] = []
    let connections = 0

    async function tryOnce(follower: string, { before, when }: (typeof WAYS)[number]): Promise<void> {
      const socket = await openSocket(server.url)
      connections += 1
      if (when === 'same packet') socket.send(before + STREAM + follower)
      else socket.send(before + STREAM)
      if (when === 'ready') await socket.until(/event: ready/)
      const answers = () => socket.text().match(/HTTP\/1\.1 \d/g)?.length ?? 0
      const due = answers()
      if (when !== 'same packet') socket.send(follower)
      // Half a request that arrives before the stream is open is noticed with the next byte.
      if (when !== 'ready' && follower.length < HALF_LENGTH) {
        await Promise.race([socket.until(/event: ready/), socket.closed])
        socket.send('more')
      }
      await within(
        PATIENCE_MS,
        `the end of a stream's connection after ${JSON.stringify(follower)}`,
        socket.closed,
      )
      if (when === 'ready' && answers() !== due) broken.push(`${JSON.stringify(follower)} got a response`)
    }

    for (let round = 0; round < ROUNDS[scale]; round += 1) {
      for (const way of WAYS) await Promise.all(FOLLOWERS.map((follower) => tryOnce(follower, way)))
    }
    const { status } = await callApi(server.url, 'GET', '/health')
    if (status !== 200) broken.push(`/health returned ${status}`)
    return {
      times: `${connections.toLocaleString('en-US')} connections, ${FOLLOWERS.length} kinds of bytes`,
      seen: 'every connection was closed',
      broken,
    }
  },
}
