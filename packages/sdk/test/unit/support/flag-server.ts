import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestFlag } from './flags.ts'

export const ENVIRONMENT_ID = '3f0c1c5e-6d3c-4a8e-9d0e-0a6c6a1f2b11'

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Reply = {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** The three endpoints that the SDK uses, over real HTTP, with every way for them to fail. */
export interface FlagServer {
  readonly url: string
  readonly received: Received[]
  readonly streams: ServerResponse[]
  flags: TestFlag[]
  /** The header `Date` of every response, in milliseconds since 1970; null for none. */
  dateMs: number | null
  /**
   * A replacement for the regular response of the stream, the snapshot or the reports; null for the regular
   * one.
   */
  onStream: ((response: ServerResponse) => void) | null
  onSnapshot: (() => Reply | Promise<Reply>) | null
  onIngest: (request: Received) => Reply | Promise<Reply>
  /** The requests whose path ends with `pathEnd`. */
  requests(pathEnd: string): Received[]
  ingested(pathEnd: string): Record<string, unknown>[][]
  /** Sends a text to every open stream. */
  send(text: string): void
  update(update: object): void
  /** Ends every open stream, whatever it was sending. */
  drop(): void
  close(): Promise<void>
}

export const frame = (event: string, text: string): string => `event: ${event}\ndata: ${text}\n\n`
export const connectedFrame = (): string =>
  frame('connected', JSON.stringify({ environment_id: ENVIRONMENT_ID }))
export const upsertFrame = (flag: object): string =>
  frame('update', JSON.stringify({ type: 'UPSERT', env_id: ENVIRONMENT_ID, flag }))
export const bootstrap = (flags: readonly object[]): string =>
  connectedFrame() + flags.map(upsertFrame).join('') + frame('ready', String(flags.length))

export function openStream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.write(text)
}

export async function startFlagServer(flags: TestFlag[] = []): Promise<FlagServer> {
  const http = createServer((request, response) => void receive(request, response))

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: Buffer.concat(chunks).toString() }
    server.received.push(received)
    response.sendDate = false
    if (server.dateMs !== null) response.setHeader('date', new Date(server.dateMs).toUTCString())
    if (path === '/stream') {
      if (server.onStream) return server.onStream(response)
      server.streams.push(response)
      return openStream(response, bootstrap(server.flags))
    }
    const reply = await (path === '/flags/snapshot' ? snapshot(headers) : server.onIngest(received))
    response.writeHead(reply.status, reply.headers).end(reply.body)
  }

  function snapshot(headers: IncomingMessage['headers']): Reply | Promise<Reply> {
    if (server.onSnapshot) return server.onSnapshot()
    const body = JSON.stringify(server.flags)
    const etag = `"${Buffer.from(body).length}-${server.flags.map(({ revision }) => revision).join('.')}"`
    const common = { etag, 'x-environment-id': ENVIRONMENT_ID, 'content-type': 'application/json' }
    if (headers['if-none-match'] === etag) return { status: 304, headers: common }
    return { status: 200, headers: common, body }
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const server: FlagServer = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    streams: [],
    flags,
    dateMs: null,
    onStream: null,
    onSnapshot: null,
    onIngest: () => ({ status: 204 }),
    requests: (pathEnd) => server.received.filter(({ path }) => path.endsWith(pathEnd)),
    ingested: (pathEnd) => server.requests(pathEnd).map(({ body }) => JSON.parse(body)),
    send(text) {
      for (const stream of server.streams) stream.write(text)
    },
    update: (update) => server.send(frame('update', JSON.stringify(update))),
    drop() {
      for (const stream of server.streams.splice(0)) stream.destroy()
    },
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return server
}
