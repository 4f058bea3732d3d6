import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver got. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body as received. */
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  readonly body: any
  /** The time of its last byte, on `performance.now()`. */
  readonly atMs: number
}

/** The response of a receiver: a status, or a function that writes it. */
export type Reply = number | ((received: Received, response: ServerResponse) => void)

export interface Receiver {
  /** Returns the URL of a path; each path is another receiver. */
  url(path?: string): string
  readonly port: number
  /** Returns the requests in order, optionally of one path. */
  received(path?: string): readonly Received[]
  /** Sets the response from now on, on every path or on one. */
  reply(reply: Reply, path?: string): void
  close(): Promise<void>
}

/** Starts a real HTTP server on 127.0.0.1 that accepts requests, with 200 unless set otherwise. */
export async function startReceiver({ port = 0 } = {}): Promise<Receiver> {
  const all: Received[] = []
  const replies = new Map<string, Reply>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { headers, url: path = '/' } = request
      const received = { path, headers, text, body: parse(text), atMs: performance.now() }
      all.push(received)
      const reply = replies.get(path) ?? replies.get('*') ?? 200
      if (typeof reply === 'number') response.writeHead(reply).end('heard')
      else reply(received, response)
    })
    request.on('error', () => undefined)
  })
  await listen(server, port)
  const { port: bound } = server.address() as AddressInfo
  return {
    url: (path = '/') => `http://127.0.0.1:${bound}${path}`,
    port: bound,
    received: (path) => (path === undefined ? all : all.filter((each) => each.path === path)),
    reply: (reply, path = '*') => replies.set(path, reply),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
