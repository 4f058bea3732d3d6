import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import { type ClientError, isRefusal } from '../client-error.ts'
import type { Platform } from '../platform.ts'
import { type Request, retryAfterMs, timed } from '../request.ts'
import { retryDelayMs } from './retry-delay.ts'

export const POLL_INTERVAL_MS = 30_000
/** The shortest interval that an option may give. */
const MIN_INTERVAL_MS = 1_000
const MAX_INTERVAL_MS = 86_400_000
/** The share of the interval by which polls vary, so that clients which started together spread. */
const JITTER = 0.1

export interface SnapshotPolling {
  /** Requests a snapshot, unless one is on its way. Rejects when that failed. */
  refresh(): Promise<void>
  /** Requests a snapshot now and in intervals. */
  start(): void
  /** Stops polling and aborts the request. The next snapshot is complete. Nothing is called afterwards. */
  stop(): void
  isPolling(): boolean
}

interface SnapshotListener {
  /** Receives null when nothing has changed since the last snapshot. */
  onSnapshot(flags: FlagSet | null, environmentId: string | null): void
  onError(error: ClientError): void
}

/**
 * @param interval The time between two polls, in milliseconds. Default 30 s.
 * @param retriesSoon Whether the polls before the first snapshot follow each other like attempts to connect.
 */
export function createSnapshotPolling(
  { clock, random }: Platform,
  request: Request,
  interval: number | undefined,
  retriesSoon: boolean,
  { onSnapshot, onError }: SnapshotListener,
): SnapshotPolling {
  const intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, interval || POLL_INTERVAL_MS))
  let etag: string | null = null
  let pending: Promise<void> | null = null
  let controller: AbortController | null = null
  let cancelTimer = () => {}
  let isStarted = false
  let latest: Promise<void> | null = null
  /** The failures before the first snapshot. */
  let failures = 0

  async function read(signal: AbortSignal): Promise<void> {
    const headers: Record<string, string> = etag ? { 'If-None-Match': etag } : {}
    const response = await request('/flags/snapshot', { signal }, headers)
    const flags = response.status === 304 ? null : createFlagSet(await response.json())
    if (signal.aborted) return
    pending = null
    etag = response.headers.get('etag')
    onSnapshot(flags, response.headers.get('x-environment-id'))
  }

  function refresh(): Promise<void> {
    if (pending !== null) return pending
    const own = new AbortController()
    controller = own
    pending = timed(clock, read, undefined, own).catch((error) => {
      // Errors of `request` and of JSON. Those of a request that was stopped are the caller's alone.
      if (controller === own) {
        pending = null
        onError(error)
      }
      throw error
    })
    return pending
  }

  function poll(): void {
    isStarted = true
    const settle = (error?: ClientError) => {
      // A round that was stopped may settle after polling has started again.
      if (round === latest && isStarted) cancelTimer = clock.setTimer(poll, delayMs(error))
    }
    const round = refresh()
    latest = round
    round.then(() => settle(), settle)
  }

  function delayMs(error?: ClientError): number {
    if (!error) retriesSoon = false
    const regularMs = intervalMs * (1 - JITTER + 2 * JITTER * random())
    const soonMs = retriesSoon && error && !isRefusal(error) ? retryDelayMs(failures++, random()) : regularMs
    return Math.max(Math.min(regularMs, soonMs), error ? retryAfterMs(error) : 0)
  }

  return {
    refresh,
    start() {
      if (!isStarted) poll()
    },
    stop() {
      isStarted = false
      cancelTimer()
      etag = null
      pending = null
      controller?.abort()
      controller = null
    },
    isPolling: () => isStarted,
  }
}
