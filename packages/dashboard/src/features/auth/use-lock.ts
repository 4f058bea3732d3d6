import { useEffect, useState } from 'react'

const SECOND_MS = 1_000

interface Lock {
  /** The email address that is locked, as it was typed. Another account is not locked. */
  readonly email: string
  readonly untilMs: number
}

/** Counts a lock down, a second at a time; `secondsLeft` is 0 where there is none. */
export function useLock(email: string) {
  const [lock, setLock] = useState<Lock | null>(null)
  const [nowMs, setNow] = useState(() => Date.now())
  const leftMs = lock !== null && lock.email === email ? lock.untilMs - nowMs : 0
  const isLocked = leftMs > 0
  useEffect(() => {
    if (!isLocked) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [isLocked])
  const start = (seconds: number) => {
    const now = Date.now()
    setNow(now)
    setLock({ email, untilMs: now + seconds * SECOND_MS })
  }
  return { secondsLeft: Math.max(0, Math.ceil(leftMs / SECOND_MS)), untilMs: lock?.untilMs ?? 0, start }
}
