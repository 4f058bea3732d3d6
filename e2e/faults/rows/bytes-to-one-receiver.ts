import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '../../../packages/server/test/harness/eventually.ts'
import { callApi } from '../../harness/call-api.ts'
import type { Fault } from '../fault.ts'
import { openPlace } from '../shared-server.ts'

const WEBHOOKS = 100
const WRITES = { short: 1, full: 5 }
/** docs/webhooks.md */
const HOST_MAX_BYTES = 16 * 1024 * 1024
const VALUE_CHARACTERS = 450_000
/** The time until a receiver responds, so that messages overlap. */
const RESPONSE_MS = 50

export const fault: Fault = {
  group: 'dependencies',
  title: `Writes of a flag of 900 KB with ${WEBHOOKS} webhooks that have the same slow receiver`,
  promise: `A receiver gets at most ${HOST_MAX_BYTES / 1024 / 1024} MiB at a time, and every message in the end. One webhook more is refused with 409.`,
  async run(_stage, scale) {
    const place = await openPlace()
    const receiver = await startReceiver()
    const ofEnvironment = `/api/environments/${place.environmentId}`
    const call = (method: string, path: string, body?: object) =>
      callApi(place.url, method, `${ofEnvironment}${path}`, body, place.admin)
    const broken: string[] = []
    for (let nth = 0; nth < WEBHOOKS; nth += 1) {
      const { status } = await call('POST', '/webhooks', { name: `w ${nth}`, url: receiver.url(nth) })
      if (status !== 200) throw new Error(`a webhook returned ${status}`)
    }
    const beyond = await call('POST', '/webhooks', { name: 'beyond', url: receiver.url(WEBHOOKS) })
    if (beyond.status !== 409) broken.push(`one webhook more returned ${beyond.status}`)
    const writes = WRITES[scale]
    for (let nth = 0; nth < writes; nth += 1) {
      const values = ['a', 'b'].map((letter) => `${nth}${letter.repeat(VALUE_CHARACTERS)}`)
      const rules = [{ attribute: 'name', operator: 'equals', values }]
      const { status } = await call('POST', '/flags', { key: 'large', is_enabled: true, rules })
      if (status !== 200) throw new Error(`a write returned ${status}`)
    }
    const wanted = writes * WEBHOOKS
    await eventually(() => receiver.messages() >= wanted).catch(() =>
      broken.push(`${receiver.messages()} of ${wanted} messages arrived`),
    )
    const { mostBytes, totalBytes } = receiver
    if (mostBytes() > HOST_MAX_BYTES) broken.push(`${mostBytes()} bytes arrived at the same time`)
    await receiver.close()
    return {
      times: `${writes} writes, ${WEBHOOKS} webhooks`,
      seen: `${mib(totalBytes())} MiB arrived, at most ${mib(mostBytes())} MiB at a time`,
      broken,
    }
  },
}

const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)

/** A receiver that counts distinct messages, and the bytes of requests without a response. */
async function startReceiver() {
  const ids = new Set<string>()
  let bytes = 0
  let mostBytes = 0
  let totalBytes = 0
  const respond = (response: ServerResponse) => void setTimeout(() => response.end(), RESPONSE_MS)
  const http = createServer((request, response) => {
    let size = 0
    request.on('data', ({ length }: Buffer) => {
      size += length
      bytes += length
      totalBytes += length
      mostBytes = Math.max(mostBytes, bytes)
    })
    request.on('end', () => {
      ids.add(`${request.url} ${request.headers['webhook-id']}`)
      respond(response)
    })
    request.on('error', () => undefined)
    // Before its last byte: afterwards the server may already send the next message.
    response.on('finish', () => {
      bytes -= size
      size = 0
    })
    response.on('close', () => {
      bytes -= size
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    url: (nth: number) => `http://127.0.0.1:${port}/${nth}`,
    messages: () => ids.size,
    mostBytes: () => mostBytes,
    totalBytes: () => totalBytes,
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}
