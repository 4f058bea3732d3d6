import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createScheduler, type Scheduler } from '../../../../src/governance/scheduled-changes/scheduler.ts'
import { createKeyedQueue } from '../../../../src/platform/concurrency/keyed-queue.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'
import { silentLog } from '../../../harness/silent-log.ts'

const POLL_MS = 500
const QUICK_MS = 250
const PATIENT_MS = 2_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(async () => {
  const closing = scheduler?.close()
  await vi.runAllTimersAsync()
  await closing
  vi.useRealTimers()
})

let scheduler: Scheduler | undefined

interface DueChange {
  readonly id: string
  readonly environment_id: string
}

const change = (environment_id: string, id: string): DueChange => ({ id, environment_id })

type Attempt = (change: DueChange, lockTimeoutMs: number) => Promise<void>

/** A scheduler over a list of due changes: one whose attempt does not throw leaves the list. */
function startScheduler(due: DueChange[], attempt: Attempt = async () => undefined) {
  const attempts: string[] = []
  const clock = createManualClock()
  const asked: { now: string; except: readonly string[] }[] = []
  const queue = createKeyedQueue()
  scheduler = createScheduler({
    clock,
    log: silentLog(),
    connections: 10,
    listDue: async ({ except, now }) => {
      asked.push({ now, except })
      const environments = new Set(due.map(({ environment_id }) => environment_id))
      return [...environments].filter((id) => !except.includes(id))
    },
    inTurn: (environment_id, work) => queue.run(environment_id, work, { isAhead: true }),
    executeNext: async (environment_id, { lockTimeoutMs }) => {
      const next = due.find((other) => other.environment_id === environment_id)
      if (!next) return 'none'
      attempts.push(next.id)
      await attempt(next, lockTimeoutMs)
      due.splice(due.indexOf(next), 1)
      return 'attempted'
    },
  })
  scheduler.start()
  return { asked, attempts, clock, queue }
}

const settle = () => vi.advanceTimersByTimeAsync(0)
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A write of a request, which takes a moment. */
const write = (attempts: string[], name: string) => async () => {
  attempts.push(name)
  await wait(1)
}

/** Waits as long as PostgreSQL would for a lock that is not free, and fails. */
const failLate: Attempt = async (_change, lockTimeoutMs) => {
  await wait(lockTimeoutMs)
  throw new Error('the lock was not free in time')
}

/** Creates a promise that the test resolves. */
function newGate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((open) => {
    resolve = open
  })
  return { promise, resolve: () => resolve() }
}

describe('due scheduled changes', () => {
  it('due changes are polled for at the start and then every half second, by the clock', async () => {
    const { asked, clock } = startScheduler([])
    await settle()
    clock.advance(POLL_MS)
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(asked.map(({ now }) => now)).toEqual(['2026-01-05T10:00:00.000Z', '2026-01-05T10:00:00.500Z'])
  })

  it('due changes are executed one after another, until none is left', async () => {
    const due = Array.from({ length: 11 }, (_, index) => change('a', `a-${index}`))
    const { asked, attempts } = startScheduler(due)
    await settle()
    expect(attempts).toEqual(Array.from({ length: 11 }, (_, index) => `a-${index}`))
    expect(due).toEqual([])
    expect(asked).toHaveLength(1)
  })

  it('due changes of one environment wait for earlier ones; those of another do not, also when due later', async () => {
    const gate = newGate()
    const due = [change('a', 'a-1'), change('a', 'a-2'), change('b', 'b-1')]
    const { asked, attempts } = startScheduler(due, async ({ id }) => {
      if (id === 'a-1') await gate.promise
    })
    await settle()
    expect(attempts).toEqual(['a-1', 'b-1'])
    due.push(change('b', 'b-2'), change('c', 'c-1'))
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(attempts).toEqual(['a-1', 'b-1', 'b-2', 'c-1'])
    expect(asked.map(({ except }) => except)).toEqual([[], ['a']])
    gate.resolve()
    await settle()
    expect(attempts.at(-1)).toBe('a-2')
  })

  it('due changes are executed for four environments at a time', async () => {
    const gate = newGate()
    const due = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => change(id, id))
    const { attempts } = startScheduler(due, () => gate.promise)
    await settle()
    expect(attempts).toEqual(['a', 'b', 'c', 'd'])
    gate.resolve()
    await settle()
    expect(attempts).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('due changes pass waiting writes of their environment, and four of them let one write go', async () => {
    const gate = newGate()
    const due = Array.from({ length: 9 }, (_, index) => change('a', `a-${index}`))
    const { attempts, queue } = startScheduler(due, async ({ id }) => {
      if (id === 'a-0') await gate.promise
    })
    await settle()
    const writes = ['write-1', 'write-2', 'write-3'].map((name) => queue.run('a', write(attempts, name)))
    gate.resolve()
    await vi.advanceTimersByTimeAsync(100)
    expect(attempts).toEqual([
      ...['a-0', 'a-1', 'a-2', 'a-3', 'write-1', 'a-4', 'a-5', 'a-6', 'a-7', 'write-2', 'a-8', 'write-3'],
    ])
    await Promise.all(writes)
  })

  it('due changes that take long let a write go after a second, and at once while other environments wait', async () => {
    const due = Array.from({ length: 3 }, (_, index) => change('a', `a-${index}`))
    const gate = newGate()
    const { attempts, clock, queue } = startScheduler(due, async () => {
      await gate.promise
      clock.advance(600)
    })
    await settle()
    const writes = ['write-1', 'write-2'].map((name) => queue.run('a', write(attempts, name)))
    gate.resolve()
    await vi.advanceTimersByTimeAsync(100)
    expect(attempts).toEqual(['a-0', 'a-1', 'write-1', 'a-2', 'write-2'])
    await Promise.all(writes)
    due.push(...['a', 'b', 'c', 'd', 'e'].flatMap((id) => [1, 2, 3].map((at) => change(id, `${id}-${at}`))))
    attempts.splice(0)
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(attempts.slice(0, 8)).toEqual(['a-1', 'b-1', 'c-1', 'd-1', 'e-1', 'a-2', 'b-2', 'c-2'])
  })
})

describe('environments whose locks are not free', () => {
  it('an environment that is not free waits for longer from then on, and others are not held up', async () => {
    const stuck = Array.from({ length: 8 }, (_, index) => change(`stuck-${index}`, `stuck-${index}`))
    const due = [...stuck]
    const waits: number[] = []
    const { attempts } = startScheduler(due, (one, lockTimeoutMs) => {
      if (!one.id.startsWith('stuck')) return Promise.resolve()
      waits.push(lockTimeoutMs)
      return failLate(one, lockTimeoutMs)
    })
    await vi.advanceTimersByTimeAsync(4 * QUICK_MS)
    expect(new Set(waits)).toEqual(new Set([QUICK_MS, PATIENT_MS]))
    due.push(change('idle', 'idle-1'))
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(attempts).toContain('idle-1')
    due.splice(0)
  })

  it('an environment whose turns stay slow keeps its patience until nothing is due', async () => {
    const due = Array.from({ length: 3 }, (_, index) => change('a', `a-${index}`))
    const waits: number[] = []
    const { clock } = startScheduler(due, async ({ id }, lockTimeoutMs) => {
      waits.push(lockTimeoutMs)
      if (waits.length === 1) throw new Error('the lock was not free in time')
      if (id !== 'a-3') clock.advance(300)
    })
    await settle()
    expect(waits).toEqual([QUICK_MS, PATIENT_MS, PATIENT_MS, PATIENT_MS])
    due.push(change('a', 'a-3'))
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(waits.at(-1)).toBe(QUICK_MS)
  })

  it('environments whose writes are held up by requests let others go on', async () => {
    const gate = newGate()
    const due: DueChange[] = []
    const { attempts, queue } = startScheduler(due)
    const held = ['a', 'b', 'c', 'd', 'e'].map((id) => queue.run(id, () => gate.promise))
    due.push(...['a', 'b', 'c', 'd', 'e', 'idle'].map((id) => change(id, `${id}-1`)))
    await vi.advanceTimersByTimeAsync(2 * POLL_MS)
    expect(attempts).toEqual(['idle-1'])
    gate.resolve()
    await Promise.all(held)
    await settle()
    expect([...attempts].sort()).toEqual(['a-1', 'b-1', 'c-1', 'd-1', 'e-1', 'idle-1'])
  })
})

describe('a scheduled change that fails', () => {
  it('a failed scheduled change is tried again with more patience, and then at the next poll', async () => {
    let isBroken = true
    const due = [change('a', 'a-1'), change('a', 'a-2'), change('b', 'b-1')]
    const { attempts } = startScheduler(due, async ({ environment_id }) => {
      if (isBroken && environment_id === 'a') throw new Error('the database is unavailable')
    })
    await settle()
    expect(attempts).toEqual(['a-1', 'b-1', 'a-1'])
    scheduler?.runSoon()
    await settle()
    expect(attempts).toHaveLength(3)
    isBroken = false
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(attempts).toEqual(['a-1', 'b-1', 'a-1', 'a-1', 'a-2'])
  })
})

describe('the scheduler', () => {
  it('the run polls at once on request, and once more when requested while it runs', async () => {
    const { asked } = startScheduler([])
    scheduler?.runSoon()
    scheduler?.runSoon()
    await settle()
    expect(asked).toHaveLength(2)
    scheduler?.runSoon()
    await settle()
    expect(asked).toHaveLength(3)
  })

  it('the run does nothing before it is started', async () => {
    const { asked } = startScheduler([])
    await scheduler?.close()
    const idle = createScheduler({
      clock: createManualClock(),
      log: silentLog(),
      connections: 1,
      listDue: async () => {
        throw new Error('asked before the start')
      },
      inTurn: (_id, work) => work(),
      executeNext: async () => 'none',
    })
    idle.runSoon()
    await settle()
    expect(asked).toHaveLength(1)
    await idle.close()
  })

  it('the run finishes the current change when it is closed, and starts no other', async () => {
    const gate = newGate()
    const due = [change('a', 'a-1'), change('a', 'a-2')]
    const { attempts } = startScheduler(due, () => gate.promise)
    await settle()
    let isClosed = false
    const closing = scheduler?.close().then(() => {
      isClosed = true
    })
    await settle()
    expect(isClosed).toBe(false)
    gate.resolve()
    await closing
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(attempts).toEqual(['a-1'])
  })

  it('the run retries at the next poll when due changes cannot be read', async () => {
    let asked = 0
    scheduler = createScheduler({
      clock: createManualClock(),
      log: silentLog(),
      connections: 10,
      listDue: async () => {
        asked += 1
        throw new Error('the database is unavailable')
      },
      inTurn: (_id, work) => work(),
      executeNext: async () => 'none',
    })
    scheduler.start()
    await settle()
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(asked).toBe(2)
  })
})
