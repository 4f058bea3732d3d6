import type { systemEndpoints } from '@burgee/contract'
import type { EncodedReply, EndpointHandlers } from '../kernel/endpoint-handler.ts'

/** `/health` says that the process answers, `/ready` that it can serve (contract, section 1). */
export function systemHandlers(deps: {
  readonly isReady: () => Promise<boolean>
}): Pick<EndpointHandlers<typeof systemEndpoints>, 'getHealth' | 'getReadiness'> {
  return {
    getHealth: async () => plainText(200, 'OK'),
    getReadiness: async () => ((await deps.isReady()) ? plainText(200, 'OK') : plainText(503, 'NOT READY')),
  }
}

const plainText = (status: number, bytes: string): EncodedReply => ({
  status,
  bytes,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
})
