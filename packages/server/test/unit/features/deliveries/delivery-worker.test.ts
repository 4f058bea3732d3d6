import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type ClaimRoom,
  createDeliveryRun,
  DELIVERIES_MAX,
  type Delivery,
  type DeliveryRun,
} from '../../../../src/features/deliveries/delivery-worker.ts'
import type { DeliveryJob, FinishedAttempt, NextStep } from '../../../../src/features/deliveries/index.ts'
import { silentLog } from '../../../harness/silent-log.ts'

let run: DeliveryRun | undefined
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(async () => {
  const closing = run?.close()
  await vi.advanceTimersByTimeAsync(10_000)
  await closing
  vi.useRealTimers()
})

const clock = { now: () => new Date(), monotonicMs: () => performance.now() }

const jobFor = (id: number, receiver_id = 'receiver', attempt = 1): DeliveryJob => ({
  id,
  event_id: id,
  message_id: `evt_${id}`,
  asked_for: false,
  attempt,
  receiver: { kind: 'webhook', id: receiver_id, enabled: true, url: '', secret_sealed: null },
})

const deliveryOf = (job: DeliveryJob): Delivery => ({
  job,
  occurrence: {
    type: 'flag.updated',
    occurred_at: '2026-01-05T10:00:00.000Z',
    event: {
      project_id: '',
      environment: { id: '', name: '', slug: '' },
      flag_key: 'a',
      actor_email: '',
      flag: null,
      previous: null,
    },
  },
})

const DONE: NextStep = { kind: 'done' }

const finished = ({ job }: Delivery, next: NextStep): FinishedAttempt => ({
  job,
  event: 'flag.updated',
  result: { status_code: 200, response_body: '', error: null, duration_ms: 1, delivered_at: '' },
  next,
})

/** A run with jobs to claim; an attempt ends when the test decides, or is aborted. */
interface Circumstances {
  readonly events?: number
  readonly waited_ms?: number
  /** The utilisation of the event loop; rather busy by default. */
  readonly utilisation?: number
  readonly next?: NextStep
  readonly atOnce?: number
  readonly onAttempt?: (job_id: number) => void
}

function startRun(
  jobs: DeliveryJob[],
  { atOnce = DELIVERIES_MAX, events = 0, next = DONE, onAttempt, ...rest }: Circumstances = {},
) {
  const { utilisation = 0.9, waited_ms = 0 } = rest
  const seen = { rooms: [] as ClaimRoom[], fanOuts: [] as number[], renewed: [] as number[][], given_up: 0 }
  const recorded: number[] = []
  const released: number[] = []
  const answers = new Map<number, () => void>()
  let waitingEvents = events
  run = createDeliveryRun({
    clock,
    log: silentLog(),
    atOnce,
    utilisation: () => utilisation,
    fanOut: async (limit) => {
      seen.fanOuts.push(limit)
      const done = Math.min(limit, waitingEvents)
      waitingEvents -= done
      return { events: done, is_behind: waitingEvents > 0 }
    },
    claim: async (wish) => {
      seen.rooms.push(wish)
      return { deliveries: jobs.splice(0, wish.room.well).map(deliveryOf), waited_ms }
    },
    attempt: (delivery, signal) =>
      new Promise((resolve) => {
        onAttempt?.(delivery.job.id)
        answers.set(delivery.job.id, () => resolve(finished(delivery, next)))
        signal.addEventListener('abort', () => resolve(null))
      }),
    record: async ({ job }) => {
      recorded.push(job.id)
    },
    renew: async (ids) => {
      seen.renewed.push([...ids])
    },
    release: async (ids) => {
      released.push(...ids)
    },
    giveUp: async () => {
      seen.given_up += 1
    },
  })
  run.start()
  return {
    run,
    seen,
    recorded,
    released,
    answer: (id: number) => answers.get(id)?.(),
    more: (count: number) => {
      waitingEvents += count
    },
  }
}

describe('stopping deliveries', () => {
  it('stopping deliveries claims nothing more, and waits for running attempts', async () => {
    const jobs = [jobFor(1)]
    const { answer, recorded, released, run, seen } = startRun(jobs)
    await vi.advanceTimersByTimeAsync(0)
    let isClosed = false
    const closing = run.close().then(() => {
      isClosed = true
    })
    const looks = seen.rooms.length
    jobs.push(jobFor(2))
    await vi.advanceTimersByTimeAsync(7_000)
    expect(isClosed).toBe(false)

    answer(1)
    await closing

    expect(recorded).toEqual([1])
    expect(released).toEqual([])
    expect(seen.rooms).toHaveLength(looks)
  })

  it('stopping deliveries aborts attempts that run after 8 s, and returns their jobs', async () => {
    const { recorded, released, run } = startRun([jobFor(1), jobFor(2)])
    await vi.advanceTimersByTimeAsync(0)

    const closing = run.close()
    await vi.advanceTimersByTimeAsync(7_999)
    expect(released).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await closing

    expect(released.sort()).toEqual([1, 2])
    expect(recorded).toEqual([])
  })
})

describe('a claim', () => {
  it('a claim is renewed as long as the attempt lasts, and no longer', async () => {
    const { answer, seen } = startRun([jobFor(1)])
    await vi.advanceTimersByTimeAsync(4_000)
    expect(seen.renewed).toEqual([[1], [1]])

    answer(1)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(seen.renewed).toHaveLength(2)
  })

  it('a claim leaves out receivers with four running retries', async () => {
    const { seen } = startRun([1, 2, 3, 4].map((id) => jobFor(id, 'failing', 2)))
    await vi.advanceTimersByTimeAsync(500)

    expect(seen.rooms.at(-1)?.busy).toEqual(['failing'])
  })

  it('a claim has at most as many jobs as may run at once, two thirds of them first attempts', async () => {
    const first = Array.from({ length: 5 }, (_, index) => jobFor(index, `receiver ${index}`))
    const again = Array.from({ length: 2 }, (_, index) => jobFor(10 + index, `failing ${index}`, 2))
    const { seen } = startRun([...first, ...again], { atOnce: 9, utilisation: 0 })
    await vi.advanceTimersByTimeAsync(1_500)

    expect(seen.rooms[0]?.room).toEqual({ well: 6, ailing: 6, again: 3 })
    expect(seen.rooms.at(-1)?.room).toEqual({ well: 1, ailing: 1, again: 1 })
  })
})

describe('deliveries while flags are changed', () => {
  it('deliveries are throttled while flags are changed, and catch up when all is quiet', async () => {
    const { run, seen } = startRun([], { events: 1_000 })
    await vi.advanceTimersByTimeAsync(5_000)
    const before = seen.fanOuts.length

    for (let change = 0; change < 100; change += 1) {
      run.wake()
      await vi.advanceTimersByTimeAsync(10)
    }
    const meanwhile = seen.fanOuts.slice(before)
    await vi.advanceTimersByTimeAsync(1_000)

    expect(new Set(meanwhile)).toEqual(new Set([1]))
    // A hundred changes in a second: about one small batch each tenth of it.
    expect(meanwhile.length).toBeLessThanOrEqual(15)
    expect(seen.fanOuts.at(-1)).toBe(100)
  })

  it('deliveries start soon after a change', async () => {
    const { run, seen } = startRun([])
    await vi.advanceTimersByTimeAsync(250)
    const before = seen.rooms.length

    run.wake()
    await vi.advanceTimersByTimeAsync(10)

    expect(seen.rooms.length).toBe(before + 1)
  })
})

describe('deliveries under steady changes', () => {
  const changeFor = async (run: DeliveryRun, ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) {
      run.wake()
      await vi.advanceTimersByTimeAsync(10)
    }
  }

  it('deliveries use full batches while there is time beside steady changes', async () => {
    const { run, seen } = startRun([], { events: 10_000, utilisation: 0.3 })
    await changeFor(run, 300)

    expect(new Set(seen.fanOuts)).toEqual(new Set([100]))
  })

  it('deliveries use full batches for events that have waited long', async () => {
    const { more, run, seen } = startRun([])
    await changeFor(run, 500)
    more(10_000)
    const before = seen.fanOuts.length

    await changeFor(run, 3_400)

    const meanwhile = seen.fanOuts.slice(before)
    expect(meanwhile[0]).toBe(1)
    expect(meanwhile).toContain(100)
  })

  it('deliveries use full batches for jobs that have waited long', async () => {
    const { run, seen } = startRun([], { waited_ms: 3_100 })
    await changeFor(run, 500)

    expect(seen.rooms.at(-1)?.room.well).toBe(100)
  })

  it('other work runs between two deliveries', async () => {
    const order: string[] = []
    const { run } = startRun([jobFor(1), jobFor(2)], { onAttempt: (id) => order.push(`message ${id}`) })
    setImmediate(() => order.push('somebody else'))
    await vi.advanceTimersByTimeAsync(1)
    expect(order).toEqual(['message 1', 'somebody else', 'message 2'])
    expect(run).toBeDefined()
  })
})

describe('retries of deliveries', () => {
  it('a retry of a requested delivery runs when it is due, not at the next poll', async () => {
    const { answer, run, seen } = startRun([], { next: { kind: 'retry', wait_ms: 1_200 } })
    await vi.advanceTimersByTimeAsync(3_000)
    const sent = run.deliverNow(deliveryOf(jobFor(7)), async () => 'logged')
    await vi.advanceTimersByTimeAsync(100)
    answer(7)
    expect(await sent).toBe('logged')
    await vi.advanceTimersByTimeAsync(1_190)
    const before = seen.rooms.length

    await vi.advanceTimersByTimeAsync(20)

    expect(seen.rooms.length).toBe(before + 1)
  })
})

describe('deliveries that have waited for days', () => {
  it('old deliveries are looked for at the start and each minute', async () => {
    const { seen } = startRun([])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen.given_up).toBe(2)
  })
})
