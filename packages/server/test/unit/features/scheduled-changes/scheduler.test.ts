import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Execution } from '../../../../src/features/scheduled-changes/execute-scheduled-change.ts'
import type { DueChange } from '../../../../src/features/scheduled-changes/execution-queries.ts'
import { createScheduler, type Scheduler } from '../../../../src/features/scheduled-changes/scheduler.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'
import { silentLog } from '../../../harness/silent-log.ts'

const POLL_MS = 500
const WORK_MS = 100

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(async () => {
  await scheduler?.close()
  vi.useRealTimers()
})

let scheduler: Scheduler | undefined

const change = (environment_id: string, id: string, flag_key = id): DueChange => ({
  id,
  environment_id,
  flag_key,
  scheduled_by: 'ada@example.com',
  comment: null,
})

/** A scheduler over a list of due changes: what `attempt` says is done leaves the list. */
function startScheduler(due: DueChange[], attempt: (change: DueChange) => Promise<Execution>) {
  const attempts: string[] = []
  const clock = createManualClock()
  const asked: { now: string; except: readonly string[] }[] = []
  scheduler = createScheduler({
    clock,
    log: silentLog(),
    listDue: async ({ except, now }) => {
      asked.push({ now, except })
      return due.filter(({ environment_id }) => !except.includes(environment_id))
    },
    execute: async (change) => {
      attempts.push(change.id)
      const outcome = await attempt(change)
      if (outcome === 'done') due.splice(due.indexOf(change), 1)
      return outcome
    },
  })
  scheduler.start()
  return { asked, attempts, clock }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

/** Creates a promise that the test resolves. */
function newGate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((open) => {
    resolve = open
  })
  return { promise, resolve: () => resolve() }
}

const done = async (): Promise<Execution> => 'done'

describe('due scheduled changes', () => {
  it('due changes are polled for at the start and then every half second, by the clock', async () => {
    const { asked, clock } = startScheduler([], done)
    await settle()
    clock.advance(POLL_MS)
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(asked.map(({ now }) => now)).toEqual(['2026-01-05T10:00:00.000Z', '2026-01-05T10:00:00.500Z'])
  })

  it('due changes are executed one after another, until none is left', async () => {
    const later = [change('a', 'a-2')]
    const due = [change('a', 'a-1')]
    const { attempts } = startScheduler(due, async () => {
      due.push(...later.splice(0))
      return 'done'
    })
    await settle()
    expect(attempts).toEqual(['a-1', 'a-2'])
    expect(due).toEqual([])
  })

  it('due changes of one environment wait for earlier ones; those of another do not', async () => {
    const gate = newGate()
    const due = [change('a', 'a-1'), change('a', 'a-2'), change('b', 'b-1')]
    const { attempts } = startScheduler(due, async ({ id }) => {
      if (id === 'a-1') await gate.promise
      return 'done'
    })
    await settle()
    expect(attempts).toEqual(['a-1', 'b-1'])
    gate.resolve()
    await settle()
    expect(attempts).toEqual(['a-1', 'b-1', 'a-2'])
  })

  it('due changes are executed for four environments at a time', async () => {
    const gate = newGate()
    const due = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => change(id, id))
    const { attempts } = startScheduler(due, async () => {
      await gate.promise
      return 'done'
    })
    await settle()
    expect(attempts).toEqual(['a', 'b', 'c', 'd'])
    gate.resolve()
    await settle()
    expect(attempts).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })
})

describe('a scheduled change that fails', () => {
  it('a failed scheduled change delays later ones of its environment only, until the next poll', async () => {
    let isBroken = true
    const due = [change('a', 'a-1'), change('a', 'a-2'), change('b', 'b-1')]
    const { attempts } = startScheduler(due, async ({ environment_id }) => {
      if (isBroken && environment_id === 'a') throw new Error('the database is unavailable')
      return 'done'
    })
    await settle()
    expect(attempts).toEqual(['a-1', 'b-1'])
    isBroken = false
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(attempts).toEqual(['a-1', 'b-1', 'a-1', 'a-2'])
  })
})

describe('a scheduled change that is retried later', () => {
  it('a retried change delays later ones of its flag, and no others', async () => {
    const due = [
      change('a', 'a-1', 'broken'),
      change('a', 'a-2', 'fine'),
      change('a', 'a-3', 'broken'),
      change('b', 'b-1', 'broken'),
    ]
    const { asked, attempts } = startScheduler(due, async ({ environment_id, flag_key }) => {
      if (environment_id !== 'a' || flag_key !== 'broken') return 'done'
      due.splice(
        0,
        due.length,
        ...due.filter((other) => other.flag_key !== 'broken' || other.environment_id !== 'a'),
      )
      return 'retried'
    })
    await settle()
    expect([...attempts].sort()).toEqual(['a-1', 'a-2', 'b-1'])
    expect(asked.map(({ except }) => except)).toEqual([[], []])
  })
})

describe('a scheduled change that another instance has executed', () => {
  it('an environment is left to the instance that executed its change, until the next poll', async () => {
    const due = [change('a', 'a-1'), change('a', 'a-2'), change('b', 'b-1')]
    const { asked, attempts } = startScheduler(due, async ({ environment_id }) =>
      environment_id === 'a' ? 'gone' : 'done',
    )
    await settle()
    expect(attempts).toEqual(['a-1', 'b-1'])
    expect(asked.map(({ except }) => except)).toEqual([[], ['a']])
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(attempts).toEqual(['a-1', 'b-1', 'a-1'])
  })
})

describe('an environment that was left to another instance', () => {
  it('an environment that was left to another instance is tried again at the next poll, also with much other work', async () => {
    const due = [change('a', 'a-1'), change('b', 'b-1')]
    let isAlive = true
    const { attempts } = startScheduler(due, async ({ environment_id }) => {
      if (environment_id === 'a') return isAlive ? 'gone' : 'done'
      // One change of the other environment is always due.
      due.push(change('b', `b-${attempts.length}`))
      await new Promise((resolve) => setTimeout(resolve, WORK_MS))
      return 'done'
    })
    await settle()
    isAlive = false
    await vi.advanceTimersByTimeAsync(2 * POLL_MS)
    expect(attempts.filter((id) => id === 'a-1')).toHaveLength(2)
    expect(due.map(({ environment_id }) => environment_id)).not.toContain('a')
    const closing = scheduler?.close()
    await vi.advanceTimersByTimeAsync(WORK_MS)
    await closing
  })
})

describe('the scheduler', () => {
  it('the run polls at once on request, and once more when requested while it runs', async () => {
    const gate = newGate()
    const due = [change('a', 'a-1')]
    const { asked } = startScheduler(due, async () => {
      await gate.promise
      return 'done'
    })
    await settle()
    expect(asked).toHaveLength(1)
    scheduler?.runSoon()
    scheduler?.runSoon()
    gate.resolve()
    await settle()
    // To see that nothing is left, and because it was requested meanwhile.
    expect(asked).toHaveLength(3)
    scheduler?.runSoon()
    await settle()
    expect(asked).toHaveLength(4)
  })

  it('the run does nothing before it is started', async () => {
    const { asked } = startScheduler([], done)
    await scheduler?.close()
    const idle = createScheduler({
      clock: createManualClock(),
      log: silentLog(),
      listDue: async () => {
        throw new Error('asked before the start')
      },
      execute: done,
    })
    idle.runSoon()
    await settle()
    expect(asked).toHaveLength(1)
    await idle.close()
  })

  it('the run finishes the current change when it is closed, and starts no other', async () => {
    const gate = newGate()
    const due = [change('a', 'a-1'), change('a', 'a-2')]
    const { attempts } = startScheduler(due, async () => {
      await gate.promise
      return 'done'
    })
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
      listDue: async () => {
        asked += 1
        throw new Error('the database is unavailable')
      },
      execute: done,
    })
    scheduler.start()
    await settle()
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(asked).toBe(2)
  })
})
