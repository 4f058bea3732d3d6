import type { systemEndpoints } from '@burgee/contract'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { EncodedReply, EndpointHandlers } from '../platform/replies/endpoint-handler.ts'

/** Handles `/health` (the process responds), `/ready` (it can serve) and `/metrics` (docs/operations.md). */
export function systemHandlers(deps: {
  readonly isReady: () => Promise<boolean>
  readonly metrics: Pick<Metrics, 'render'>
}): Pick<EndpointHandlers<typeof systemEndpoints>, 'getHealth' | 'getReadiness' | 'getMetrics'> {
  return {
    getHealth: async () => plainText(200, 'OK'),
    async getReadiness() {
      if (await deps.isReady()) return plainText(200, 'OK')
      const reply = plainText(503, 'NOT READY')
      // As every 503 has it. The next response may differ after a second: the state is read at each request.
      return { ...reply, headers: { ...reply.headers, 'retry-after': '1' } }
    },
    async getMetrics() {
      const { contentType, text } = await deps.metrics.render()
      return plainText(200, text, contentType)
    },
  }
}

const plainText = (
  status: number,
  bytes: string,
  contentType = 'text/plain; charset=utf-8',
): EncodedReply => ({
  status,
  bytes,
  headers: { 'content-type': contentType, 'cache-control': 'no-store' },
})
