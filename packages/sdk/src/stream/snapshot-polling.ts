import { answerError } from '../client-error.ts'
import type { Clock } from '../platform.ts'
import type { Request } from '../request.ts'

export const POLL_INTERVAL_MS = 30_000
const PATH = '/flags/snapshot'

export interface SnapshotListener {
  onSnapshot(flags: unknown[], environmentId: string | null): void
  onError(error: unknown): void
}

/** Asks for a snapshot at once and every 30 s, while it is on. A request that is still open by then is given up. */
export interface SnapshotPolling {
  readonly isOn: boolean
  turn(on: boolean): void
}

export function createSnapshotPolling(
  request: Request,
  clock: Clock,
  listener: SnapshotListener,
): SnapshotPolling {
  let stop: (() => void) | null = null
  let etag: string | null = null

  function startRound(): void {
    const controller = new AbortController()
    const cancelTimer = clock.setTimer(() => {
      controller.abort()
      startRound()
    }, POLL_INTERVAL_MS)
    stop = () => {
      cancelTimer()
      controller.abort()
    }
    poll(controller.signal).catch((error) => {
      if (!controller.signal.aborted) listener.onError(error)
    })
  }

  async function poll(signal: AbortSignal): Promise<void> {
    const response = await request(PATH, { headers: etag === null ? {} : { 'If-None-Match': etag }, signal })
    if (response.status === 304) return
    if (response.status !== 200) throw answerError(PATH, response)
    const flags: unknown = await response.json()
    if (!Array.isArray(flags)) throw new Error(`${PATH}: no list`)
    if (signal.aborted) return
    etag = response.headers.get('etag')
    listener.onSnapshot(flags, response.headers.get('x-environment-id'))
  }

  return {
    get isOn() {
      return stop !== null
    },
    turn(on) {
      if (on === (stop !== null)) return
      stop?.()
      stop = null
      // What the last snapshot held may not be what the client holds now.
      etag = null
      if (on) startRound()
    },
  }
}
