import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { ClientError } from '../client-error.ts'
import type { Clock } from '../platform.ts'
import type { Request } from '../request.ts'

export const POLL_INTERVAL_MS = 30_000

/**
 * Requests a snapshot at once and every 30 s. A request that is still pending by then is aborted.
 * @returns A function that stops polling. Nothing is called after that.
 */
export function pollSnapshots(
  request: Request,
  { setTimer }: Clock,
  onSnapshot: (flags: FlagSet, environmentId: string | null) => void,
  onError: (error: ClientError) => void,
): () => void {
  let etag: string | null = null
  let stop: () => void

  function startRound(): void {
    const controller = new AbortController()
    const { signal } = controller
    const cancelTimer = setTimer(() => {
      stop()
      startRound()
    }, POLL_INTERVAL_MS)
    stop = () => {
      cancelTimer()
      controller.abort()
    }
    poll(signal).catch((error) => signal.aborted || onError(error))
  }

  async function poll(signal: AbortSignal): Promise<void> {
    const response = await request('/flags/snapshot', { signal }, etag ? { 'If-None-Match': etag } : {})
    if (response.status === 304) return
    const flags = createFlagSet(await response.json())
    if (signal.aborted) return
    etag = response.headers.get('etag')
    onSnapshot(flags, response.headers.get('x-environment-id'))
  }

  startRound()
  return () => stop()
}
