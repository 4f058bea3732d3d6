import { bearer } from './call-api.ts'
import { SDK_KEY } from './start-server.ts'
import { PATIENCE_MS } from './within.ts'

/** Sends a body as a report of impressions, with the key of the set-up. Returns the status. */
export async function postReport(url: string, environment_id: string, body: string): Promise<number> {
  const response = await fetch(`${url}/api/environments/${environment_id}/impressions`, {
    method: 'POST',
    headers: { ...bearer(SDK_KEY), 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await response.arrayBuffer()
  return response.status
}
