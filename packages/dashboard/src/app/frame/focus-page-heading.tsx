import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** A page that has shown no heading until then will not have the focus taken away from elsewhere. */
const PATIENCE_MS = 5_000

/**
 * Moves the focus to the heading after the way to another page: a screen reader states where one is, and Tab
 * goes on from there. Filters and tabs are no other page. A field that took the focus by itself keeps it.
 */
export function FocusPageHeading() {
  const router = useRouter()
  useEffect(() => {
    let stop = () => {}
    let shown = router.state.location.pathname
    const unsubscribe = router.subscribe('onRendered', ({ toLocation: { pathname } }) => {
      if (pathname === shown) return
      shown = pathname
      stop()
      stop = whenHeadingIsThere(focusUnlessTaken)
    })
    return () => {
      unsubscribe()
      stop()
    }
  }, [router])
  return null
}

function focusUnlessTaken(heading: HTMLElement): void {
  if (document.querySelector('main')?.contains(document.activeElement)) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** Calls back once, now or when the page's content has come. */
function whenHeadingIsThere(then: (heading: HTMLElement) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const observer = new MutationObserver(() => look())
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  const look = () => {
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return false
    stop()
    then(heading)
    return true
  }
  if (!look()) {
    observer.observe(document.body, { childList: true, subtree: true })
    timer = setTimeout(stop, PATIENCE_MS)
  }
  return stop
}
