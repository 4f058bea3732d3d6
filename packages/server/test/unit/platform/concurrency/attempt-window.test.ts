import { expect, test } from 'vitest'
import { createAttemptWindow } from '../../../../src/platform/concurrency/attempt-window.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'

const MINUTE_MS = 60_000

function build({ limit = 3, maxKeys = 100 } = {}) {
  const clock = createManualClock()
  return { clock, window: createAttemptWindow({ clock }, { limit, windowMs: MINUTE_MS, maxKeys }) }
}

test('an address may try until it has used its attempts of the minute', () => {
  const { window } = build({ limit: 3 })

  const answers = [1, 2, 3, 4].map(() => {
    const answer = window.retryAfterSeconds('10.0.0.1')
    window.count('10.0.0.1')
    return answer
  })

  expect(answers).toEqual([null, null, null, 60])
})

test('the wait is in whole seconds, rounded up, and ends with the minute', () => {
  const { clock, window } = build({ limit: 1 })
  window.count('10.0.0.1')

  clock.advance(30_500)
  expect(window.retryAfterSeconds('10.0.0.1')).toBe(30)
  clock.advance(29_499)
  expect(window.retryAfterSeconds('10.0.0.1')).toBe(1)
  clock.advance(1)
  expect(window.retryAfterSeconds('10.0.0.1')).toBeNull()
})

test('each address is counted separately', () => {
  const { window } = build({ limit: 1 })

  window.count('10.0.0.1')

  expect(window.retryAfterSeconds('10.0.0.1')).not.toBeNull()
  expect(window.retryAfterSeconds('10.0.0.2')).toBeNull()
})

test('an attempt that is undone does not count, and is undone only once', () => {
  const { window } = build({ limit: 2 })
  const undo = window.count('10.0.0.1')
  window.count('10.0.0.1')

  undo()
  undo()
  window.count('10.0.0.1')

  expect(window.retryAfterSeconds('10.0.0.1')).toBe(60)
})

test('an attempt of an earlier minute is not undone from a later one', () => {
  const { clock, window } = build({ limit: 1 })
  const undo = window.count('10.0.0.1')
  clock.advance(MINUTE_MS)
  window.count('10.0.0.1')

  undo()

  expect(window.retryAfterSeconds('10.0.0.1')).toBe(60)
})

test('a flood of addresses does not fill the memory: the one with the fewest attempts is evicted', () => {
  const { window } = build({ limit: 2, maxKeys: 2 })
  window.count('10.0.0.1')
  for (const address of ['10.0.0.2', '10.0.0.2', '10.0.0.3', '10.0.0.1']) window.count(address)

  expect(window.retryAfterSeconds('10.0.0.1')).toBeNull()
  expect(window.retryAfterSeconds('10.0.0.2')).toBe(60)
})

test('a flood of addresses does not unblock one that has used its attempts', () => {
  const { window } = build({ limit: 3, maxKeys: 10 })
  for (let count = 0; count < 3; count += 1) window.count('10.0.0.1')

  for (let index = 0; index < 1_000; index += 1) window.count(`10.1.${index >> 8}.${index & 255}`)

  expect(window.retryAfterSeconds('10.0.0.1')).toBe(60)
})
