import type { AuthenticationAction } from '@burgee/contract'

/** A failed authentication. It holds nothing of what was entered. */
export interface Failure {
  readonly action: AuthenticationAction
  /** The cause, out of a fixed list. */
  readonly reason: string
  /** The account; null for one that does not exist, whose e-mail is not kept. */
  readonly account: { readonly id: number; readonly email: string } | null
  readonly address: string
  /** The network that counts as one caller. */
  readonly network: string
  readonly userAgent: string | null
  /** The time, ISO 8601 in UTC. */
  readonly at: string
}

/** Failures of one window as an entry of the audit log. The fields are those of the last one. */
export interface CountedFailure extends Failure {
  readonly count: number
  readonly firstAt: string
}

/**
 * Counts failures by action, reason, account and network in time windows, so that an attacker cannot fill the
 * log: the first failure of a window is an entry at once, and all others are one entry at its end.
 */
export interface FailureWindows {
  /** Returns the entry to store now; null when the failure only counts. */
  count(failure: Failure, nowMs: number): CountedFailure | null
  /** Returns the entries of the windows that have ended. */
  takeEnded(nowMs: number): CountedFailure[]
  /** Returns the milliseconds until the next window ends; null without one. */
  nextEndMs(nowMs: number): number | null
}

interface Window {
  readonly endsAtMs: number
  counted: CountedFailure | null
}

interface Bounds {
  readonly windowMs: number
  /** The windows of accounts and networks at a time. Beyond them, failures count by action alone. */
  readonly maxWindows: number
}

export function createFailureWindows({ maxWindows, windowMs }: Bounds): FailureWindows {
  /** Windows in the order of their ends. */
  const windows = new Map<string, Window>()

  function open(key: string, nowMs: number): void {
    windows.set(key, { endsAtMs: nowMs + windowMs, counted: null })
  }

  return {
    count(failure, nowMs) {
      const precise = keyOf(failure)
      const isKnown = windows.has(precise) || windows.size < maxWindows
      const counted = isKnown ? failure : withoutPlace(failure)
      const key = isKnown ? precise : keyOf(counted)
      const window = windows.get(key)
      if (!window) {
        open(key, nowMs)
        return { ...counted, count: 1, firstAt: counted.at }
      }
      const { count = 0, firstAt = counted.at } = window.counted ?? {}
      window.counted = { ...counted, count: count + 1, firstAt }
      return null
    },
    takeEnded(nowMs) {
      const ended: CountedFailure[] = []
      for (const [key, { counted, endsAtMs }] of windows) {
        if (endsAtMs > nowMs) break
        windows.delete(key)
        if (counted) ended.push(counted)
      }
      return ended
    },
    nextEndMs(nowMs) {
      const [first] = windows.values()
      return first ? Math.max(0, first.endsAtMs - nowMs) : null
    },
  }
}

const keyOf = ({ account, action, network, reason }: Failure): string =>
  JSON.stringify([action, reason, account?.id ?? null, network])

/** Many accounts or networks fail at once: the entry states it. */
const MANY = 'many'
const withoutPlace = (failure: Failure): Failure => ({
  ...failure,
  reason: MANY,
  account: null,
  address: MANY,
  network: MANY,
  userAgent: null,
})
