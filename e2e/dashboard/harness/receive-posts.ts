import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface ReceivedPost {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface PostReceiver {
  readonly url: string
  /** Every request that arrived so far. */
  readonly posts: readonly ReceivedPost[]
  /** Sets the response from now on. */
  respondWith(status: number, body?: string): void
}

/** The far end of a webhook or a chat alert: responds with 200 until `respondWith` sets something else. */
export async function receivePosts(): Promise<PostReceiver> {
  const posts: ReceivedPost[] = []
  let reply = { status: 200, body: 'received' }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      posts.push({ headers: request.headers, body })
      response.writeHead(reply.status).end(reply.body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    posts,
    respondWith(status, body = '') {
      reply = { status, body }
    },
  }
}
