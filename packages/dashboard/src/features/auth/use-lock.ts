import { useEffect, useState } from 'react'

const SECOND_MS = 1_000

interface Lock {
  /** Whose it is, as it was typed: another account is not locked. */
  readonly email: string
  readonly until_ms: number
}

/** Counts a lock down, a second at a time; `seconds_left` is 0 where there is none. */
export function useLock(email: string) {
  const [lock, setLock] = useState<Lock | null>(null)
  const [now_ms, setNow] = useState(() => Date.now())
  const left_ms = lock !== null && lock.email === email ? lock.until_ms - now_ms : 0
  const is_locked = left_ms > 0
  useEffect(() => {
    if (!is_locked) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [is_locked])
  const start = (seconds: number) => {
    const now = Date.now()
    setNow(now)
    setLock({ email, until_ms: now + seconds * SECOND_MS })
  }
  return { seconds_left: Math.max(0, Math.ceil(left_ms / SECOND_MS)), until_ms: lock?.until_ms ?? 0, start }
}
