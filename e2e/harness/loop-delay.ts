import { callApi } from './call-api.ts'

export const METRICS_TOKEN = 'metrics-token-of-the-end-to-end-tests'

/** Returns the longest delay of the server's event loop since the last call, in milliseconds. */
export async function longestDelayMs(url: string): Promise<number> {
  const { body } = await callApi(url, 'GET', '/metrics', undefined, {
    authorization: `Bearer ${METRICS_TOKEN}`,
  })
  const seconds = /^burgee_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(String(body))?.[1]
  return 1_000 * Number(seconds)
}
