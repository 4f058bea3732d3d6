import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

const ENVIRONMENT_ID = '6f1d2c1e-6f5b-4a55-9d0c-0b6c8f3a7e10'

export interface ReportReceiver {
  readonly url: string
  /** Every impression that arrived so far. */
  readonly impressions: readonly {
    flag_key: string
    user_id: string | null
    value: string
    context?: object
  }[]
}

/** Starts a server that streams one boolean flag and keeps the impressions of clients. */
export async function receiveReports(flag_key: string): Promise<ReportReceiver> {
  const impressions: ReportReceiver['impressions'][number][] = []
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    void answer(request, response, flag_key).then((reported) => impressions.push(...reported))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, impressions }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  flag_key: string,
): Promise<ReportReceiver['impressions']> {
  if (request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', 'GET, POST')
    response.setHeader('access-control-allow-headers', 'authorization, content-type')
    response.writeHead(204).end()
    return []
  }
  if (request.url === '/stream') {
    response.setHeader('content-type', 'text/event-stream')
    response.write(streamOf(flag_key))
    return []
  }
  const body = await text(request)
  response.writeHead(204).end()
  // The address names the batch.
  const [path] = request.url?.split('?') ?? []
  return path === `/api/environments/${ENVIRONMENT_ID}/impressions` ? JSON.parse(body) : []
}

function streamOf(flag_key: string): string {
  const flag = {
    key: flag_key,
    is_enabled: true,
    rollout_percentage: null,
    rules: [],
    flag_type: 'boolean',
    default_value: true,
    disabled_value: false,
    variants: [],
    prerequisites: [],
  }
  const frames = [
    ['connected', { environment_id: ENVIRONMENT_ID }],
    ['update', { type: 'UPSERT', env_id: ENVIRONMENT_ID, flag }],
    ['ready', 1],
  ]
  return frames.map(([event, value]) => `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`).join('')
}
