import { useEffect, useState } from 'react'

/** A glance at another tab does not count. */
const GRACE_MS = 2_000

/** True while this tab is visible. */
export function useTabInSight(): boolean {
  const [isInSight, setInSight] = useState(() => !document.hidden)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (!document.hidden) setInSight(true)
      else timer = setTimeout(() => setInSight(false), GRACE_MS)
    }
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return isInSight
}
