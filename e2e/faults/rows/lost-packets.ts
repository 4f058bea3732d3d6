import { spawnSync } from 'node:child_process'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { openSocket, type RawSocket } from '../../../packages/server/test/harness/open-socket.ts'
import { callApi } from '../../harness/call-api.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { openPlace } from '../shared-server.ts'

/** The streams whose packets are lost; as many others keep their network. */
const LOST = { short: 3, full: 100 }
const GONE_WITHIN_MS = 45_000
const PATIENCE_MS = 90_000

export const fault: Fault = {
  group: 'connections',
  title:
    'The network silently loses every packet of half of the streams, as without power or behind a firewall',
  promise: 'These streams end within 45 s, and the others stay open.',
  async run(_stage, scale) {
    const skipped = whyNoLoss()
    if (skipped !== null) return { times: '', seen: '', broken: [], skipped }
    const count = countOf(scale, LOST)
    const { environmentId, headers, sdkKey, url } = await openPlace()
    const open = async () => {
      const stream = await openSocket(url)
      stream.send(`GET /stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sdkKey}\r\n\r\n`)
      await stream.until(/event: ready/)
      return stream
    }
    const streams: RawSocket[] = []
    while (streams.length < 2 * count) streams.push(await open())
    const lost = streams.slice(0, count)
    const left = async () => {
      const path = `/api/environments/${environmentId}/connections`
      const { body } = await callApi(url, 'GET', path, undefined, headers)
      return Number(body.streams)
    }
    const startedMs = performance.now()
    const rules = lost.map(({ port }) => ['-p', 'tcp', '--sport', `${port}`, '--dport', new URL(url).port])
    try {
      for (const rule of rules) iptables('-I', rule)
      await eventually(async () => (await left()) <= count, PATIENCE_MS)
    } finally {
      for (const rule of rules) iptables('-D', rule)
    }
    const goneMs = Math.round(performance.now() - startedMs)
    const broken: string[] = []
    if (goneMs > GONE_WITHIN_MS) broken.push(`The last stream ended after ${inThousands(goneMs)} ms.`)
    const closed = streams.slice(count).filter((stream) => stream.isClosed()).length
    if (closed > 0 || (await left()) !== count) broken.push(`${closed} streams with a network were closed.`)
    for (const stream of streams) stream.destroy()
    return {
      times: `${count} of ${2 * count} streams`,
      seen: `the last of them ended after ${inThousands(goneMs)} ms`,
      broken,
    }
  },
}

/** Returns the reason why packets cannot be dropped on this machine; null where they can. */
function whyNoLoss(): string | null {
  const { error, status, stderr } = spawnSync('iptables', ['--list-rules', 'INPUT'], { encoding: 'utf8' })
  if (error) return 'iptables, which drops packets, is not installed'
  return status === 0 ? null : `iptables cannot drop packets here: ${stderr.trim().split('\n')[0]}`
}

function iptables(action: '-I' | '-D', rule: readonly string[]): void {
  const { stderr, status } = spawnSync('iptables', [action, 'INPUT', ...rule, '-j', 'DROP'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`iptables ${action}: ${stderr}`)
}
