import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withTimeout } from '../../../../src/platform/concurrency/with-timeout.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new Promise<string>(() => {})

it('withTimeout gives what the work gives, and leaves no timer behind', async () => {
  expect(await withTimeout(Promise.resolve('done'), 1_000)).toBe('done')
  expect(vi.getTimerCount()).toBe(0)
})

it('withTimeout rejects as the work does', async () => {
  await expect(withTimeout(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no')
  expect(vi.getTimerCount()).toBe(0)
})

it('withTimeout gives undefined when the work takes longer', async () => {
  const waiting = withTimeout(never, 1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await waiting).toBeUndefined()
})

it('withTimeout gives what its last argument returns when the work takes longer', async () => {
  const waiting = withTimeout(never, 1_000, () => 'stale')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await waiting).toBe('stale')
})

it('withTimeout rejects with what its last argument throws', async () => {
  const waiting = withTimeout(never, 1_000, () => {
    throw new Error('no response within 1 s')
  })
  const outcome = expect(waiting).rejects.toThrow('no response within 1 s')
  await vi.advanceTimersByTimeAsync(1_000)
  await outcome
})
