/**
 * Runs in a page before its own code, and collects in `globalThis.watched`: the time of the first paint, the
 * time when the first flag of the list could be clicked, the layout shifts, the time from each key to the
 * next frame (to 8 ms), and tasks of more than 50 ms.
 */
export function watchPage() {
  const watched = {
    first_paint_ms: null,
    interactive_ms: null,
    shift: 0,
    keysMs: [],
    tasksMs: [],
    forgetKeys() {
      watched.keysMs.length = 0
      watched.tasksMs.length = 0
    },
  }
  globalThis.watched = watched
  const observe = (options, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ buffered: true, ...options })
  observe({ type: 'paint' }, ({ name, startTime }) => {
    if (name === 'first-contentful-paint') watched.first_paint_ms = startTime
  })
  observe({ type: 'layout-shift' }, ({ hadRecentInput, value }) => {
    if (!hadRecentInput) watched.shift += value
  })
  observe({ type: 'longtask' }, ({ duration }) => watched.tasksMs.push(duration))
  observe({ type: 'event', durationThreshold: 16 }, ({ duration, name }) => {
    if (name.startsWith('key') || name === 'input') watched.keysMs.push(duration)
  })
  const look = () => {
    const link = document.querySelector('main a[href*="/flags/"]')
    const box = link?.getBoundingClientRect()
    const top = box && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    if (top && (top === link || link.contains(top))) watched.interactive_ms = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
