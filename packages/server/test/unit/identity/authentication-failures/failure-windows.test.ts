import { describe, expect, test } from 'vitest'
import {
  createFailureWindows,
  type Failure,
} from '../../../../src/identity/authentication-failures/failure-windows.ts'

const WINDOW_MS = 600_000

const aFailure = (over: Partial<Failure> = {}): Failure => ({
  action: 'auth.login_failed',
  reason: 'wrong',
  account: { id: 1, email: 'ada@example.com' },
  address: '192.0.2.1',
  network: '192.0.2.1',
  userAgent: 'Browser',
  at: '2026-01-05T10:00:00.000Z',
  ...over,
})
const windows = (maxWindows = 10) => createFailureWindows({ windowMs: WINDOW_MS, maxWindows })

describe('windows of failed authentications', () => {
  test('the first failure is an entry at once, the next ones are one at the end', () => {
    const counting = windows()
    expect(counting.count(aFailure(), 0)).toMatchObject({ count: 1 })
    for (const second of [1, 2, 3]) {
      const at = `2026-01-05T10:00:0${second}.000Z`
      expect(counting.count(aFailure({ at }), second * 1_000)).toBeNull()
    }
    expect(counting.takeEnded(WINDOW_MS - 1)).toEqual([])
    expect(counting.nextEndMs(WINDOW_MS - 1)).toBe(1)
    expect(counting.takeEnded(WINDOW_MS)).toEqual([
      {
        ...aFailure({ at: '2026-01-05T10:00:03.000Z' }),
        count: 3,
        firstAt: '2026-01-05T10:00:01.000Z',
      },
    ])
    expect(counting.nextEndMs(WINDOW_MS)).toBeNull()
  })

  test('a window with one failure ends without another entry', () => {
    const counting = windows()
    counting.count(aFailure(), 0)
    expect(counting.takeEnded(WINDOW_MS)).toEqual([])
    expect(counting.count(aFailure(), WINDOW_MS)).toMatchObject({ count: 1 })
  })

  test('actions, reasons, accounts and networks are counted separately', () => {
    const counting = windows()
    const kinds: Partial<Failure>[] = [
      {},
      { action: 'auth.locked' },
      { reason: 'limited' },
      { account: null },
      { account: { id: 2, email: 'grace@example.com' } },
      { network: '192.0.2.2' },
    ]
    for (const kind of kinds) expect(counting.count(aFailure(kind), 0)).not.toBeNull()
    expect(counting.count(aFailure({ address: 'another of the network', userAgent: null }), 1)).toBeNull()
  })

  test('100,000 accounts and networks are at most one entry for each window and action, twice', () => {
    const counting = windows(100)
    let stored = 0
    for (let id = 0; id < 100_000; id += 1) {
      const failure = aFailure({ account: { id, email: `user-${id}@example.com` }, network: `net ${id}` })
      if (counting.count(failure, 1) !== null) stored += 1
    }
    expect(stored).toBe(101)
    const [many, ...others] = counting.takeEnded(Number.POSITIVE_INFINITY)
    expect(others).toEqual([])
    expect(many).toMatchObject({ reason: 'many', account: null, address: 'many', count: 100_000 - 101 })
  })
})
