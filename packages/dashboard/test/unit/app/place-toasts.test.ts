import { expect, test } from 'vitest'
import { coveredArea, placeToasts } from '../../../src/app/place-toasts.ts'

const ROOM = { width: 1_440, height: 900, top: 60 }
const SIZE = { width: 380, height: 64 }

test('toasts are at the lower right where no control is there', () => {
  expect(placeToasts(SIZE, [], ROOM)).toEqual({ left: 1_044, top: 820 })
})

test('toasts are above a bar of buttons at the end of the window', () => {
  const bar = { left: 560, top: 830, width: 640, height: 54 }
  const place = placeToasts(SIZE, [bar], ROOM)

  expect(place.left).toBe(1_044)
  expect(place.top + SIZE.height).toBeLessThanOrEqual(bar.top)
})

test('toasts go to the middle where a column of buttons takes the right side', () => {
  const column = Array.from({ length: 20 }, (_, at) => ({
    left: 1_380,
    top: 60 + 42 * at,
    width: 40,
    height: 40,
  }))
  const place = placeToasts(SIZE, column, ROOM)

  expect(place.left).toBe(522)
  expect(coveredArea({ ...place, ...SIZE }, column)).toBe(0)
})

test('toasts cover as little as they can where controls are everywhere', () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({ left: 0, top: 60 + 70 * at, width: 390, height: 60 }))
  const room = { ...ROOM, width: 390 }
  const place = placeToasts({ width: 358, height: 64 }, rows, room)

  expect(place.top).toBeGreaterThanOrEqual(room.top)
  expect(place.top + 64).toBeLessThanOrEqual(room.height)
})
