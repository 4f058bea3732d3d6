import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { type Box, coveredArea, placeToasts } from './place-toasts.ts'
import classes from './toasts.module.css'

/** The interval at which controls that came, went or were scrolled are looked for while a toast is shown. */
const LOOK_MS = 200
/** The height of the frame's bar, and a gap. */
const BAR_PX = 60
const POSITION = 'bottom-right'
const TOASTS = `[data-toasts][data-position="${POSITION}"]`
const CONTROLS = 'button, a[href], input, textarea, select, [role="switch"], [role="tab"], [role="option"]'

/** Notices in a corner of the window, moved to where they cover no control. */
export function Toasts() {
  useEffect(() => {
    const look = () => {
      const toasts = document.querySelector<HTMLElement>(TOASTS)
      if (toasts && toasts.childElementCount > 0) moveAside(toasts)
    }
    const timer = setInterval(look, LOOK_MS)
    // A toast that comes is in its place before it is painted.
    const observer = new MutationObserver((records) => {
      if (records.some(({ target }) => target instanceof Element && target.matches(TOASTS))) look()
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      clearInterval(timer)
      observer.disconnect()
    }
  }, [])
  return <Notifications position={POSITION} className={classes.toasts} containerWidth={380} data-toasts />
}

function moveAside(toasts: HTMLElement): void {
  const { left, top, width, height } = toasts.getBoundingClientRect()
  if (height === 0) return
  const room = { width: document.documentElement.clientWidth, height: window.innerHeight, top: BAR_PX }
  const controls = controlsOutside(toasts)
  const isInside = top >= room.top && top + height <= room.height && left + width <= room.width
  const isFree = isInside && coveredArea({ left, top, width, height }, controls) === 0
  // A toast that covers nothing stays, so that a button in it does not move under the pointer.
  if (toasts.dataset.placed && isFree) return
  const place = placeToasts({ width, height }, controls, room)
  toasts.style.setProperty('--toasts-left', `${place.left}px`)
  toasts.style.setProperty('--toasts-top', `${place.top}px`)
  toasts.dataset.placed = 'true'
}

/** The controls that can be seen and are not the toasts' own. */
function controlsOutside(toasts: HTMLElement): Box[] {
  return [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !toasts.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter(
      ({ width, height, bottom, top }) => width > 0 && height > 0 && bottom > 0 && top < window.innerHeight,
    )
}
