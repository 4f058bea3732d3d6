import { useEffect, useState } from 'react'
import type { LiveLog } from './live-log.ts'
import { readLog, type StreamFilter } from './read-log.ts'

/** The interval at which new impressions are requested (issue: every 3 s). */
const POLL_MS = 3_000

interface LiveLogState {
  /** Null until the first response. */
  readonly log: LiveLog | null
  /** The error of the latest attempt; null if it worked. The next attempt comes by itself. */
  readonly error: unknown
}

const EMPTY: LiveLogState = { log: null, error: null }

/** The impressions that match, read again and again while `isLive`; what was read stays while it is not. */
export function useLiveLog(env_id: string, filter: StreamFilter, isLive: boolean): LiveLogState {
  const { flag_key, user_id, value } = filter
  const subject = JSON.stringify([env_id, flag_key, user_id, value])
  const [held, setHeld] = useState({ subject, ...EMPTY })
  const state = held.subject === subject ? held : EMPTY
  const isStarted = state.log !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the held log is continued; it starts no round
  useEffect(() => {
    // Someone who opens the page paused, or in the background, sees what there is.
    if (!isLive && isStarted) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let log = state.log
    const poll = async () => {
      try {
        log = await readLog(env_id, { flag_key, user_id, value }, log, stop.signal)
        if (!stop.signal.aborted) setHeld({ subject, log, error: null })
      } catch (error) {
        if (!stop.signal.aborted) setHeld({ subject, log, error })
      }
      if (!stop.signal.aborted && isLive) timer = setTimeout(() => void poll(), POLL_MS)
    }
    void poll()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [subject, isLive])
  return state
}
