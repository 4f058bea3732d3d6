/** A rectangle in the window, in pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

interface Room {
  readonly width: number
  readonly height: number
  /** The top that stays free: the bar of the frame. */
  readonly top: number
}

/** Between two places that are tried, and to the edges of the window. */
const STEP_PX = 8
const MARGIN_PX = 16

/**
 * The place for toasts of a size that covers none of the controls: the lowest free one at the right, else in
 * the middle, else at the left. Where none is free, the one that covers the smallest area of controls.
 */
export function placeToasts(
  size: Pick<Box, 'width' | 'height'>,
  controls: readonly Box[],
  room: Room,
): Pick<Box, 'left' | 'top'> {
  const right = Math.max(0, room.width - size.width - MARGIN_PX)
  const lowest = room.height - size.height - MARGIN_PX
  let best = { left: right, top: Math.max(room.top, lowest), covered: Number.POSITIVE_INFINITY }
  for (const left of new Set([right, Math.round(right / 2), Math.min(MARGIN_PX, right)])) {
    for (let top = lowest; top >= room.top; top -= STEP_PX) {
      const covered = coveredArea({ left, top, ...size }, controls)
      if (covered === 0) return { left, top }
      if (covered < best.covered) best = { left, top, covered }
    }
  }
  return { left: best.left, top: best.top }
}

/** The area of controls below the toasts, in square pixels. */
export function coveredArea(toasts: Box, controls: readonly Box[]): number {
  let area = 0
  for (const control of controls) {
    const width = overlap(toasts.left, toasts.width, control.left, control.width)
    const height = overlap(toasts.top, toasts.height, control.top, control.height)
    area += width * height
  }
  return area
}

const overlap = (a: number, aSize: number, b: number, bSize: number): number =>
  Math.max(0, Math.min(a + aSize, b + bSize) - Math.max(a, b))
