import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type {
  Delivery,
  DeliveryJob,
  FinishedAttempt,
  NextStep,
} from '../../../../src/notification/deliveries/delivery-job.ts'
import { DELIVERIES_MAX } from '../../../../src/notification/deliveries/delivery-schedule.ts'
import {
  createDeliveryWorker,
  type DeliveryWorker,
} from '../../../../src/notification/deliveries/delivery-worker.ts'
import type { ClaimLimits } from '../../../../src/notification/deliveries/job-queries.ts'
import { silentLog } from '../../../harness/silent-log.ts'

let worker: DeliveryWorker | undefined
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(async () => {
  const closing = worker?.close()
  await vi.advanceTimersByTimeAsync(10_000)
  await closing
  vi.useRealTimers()
})

const clock = { now: () => new Date(), monotonicMs: () => performance.now() }

const jobFor = (id: number, receiver_id = 'receiver', attempt = 1): DeliveryJob => ({
  id,
  event_id: id,
  message_id: `evt_${id}`,
  isManual: false,
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
  /** The utilization of the event loop; rather busy by default. */
  readonly utilization?: number
  readonly next?: NextStep
  readonly connections?: number
  readonly onAttempt?: (job_id: number) => void
}

function startWorker(
  jobs: DeliveryJob[],
  { connections = DELIVERIES_MAX, events = 0, next = DONE, onAttempt, ...rest }: Circumstances = {},
) {
  const { utilization = 0.9, waited_ms = 0 } = rest
  const seen = { claims: [] as ClaimLimits[], fanOuts: [] as number[], renewed: [] as number[][], givenUp: 0 }
  const recorded: number[] = []
  const released: number[] = []
  const answers = new Map<number, () => void>()
  let waitingEvents = events
  worker = createDeliveryWorker({
    clock,
    log: silentLog(),
    connections,
    hostBytes: 1_000,
    weigh: () => ({ host: '', bytes: 0 }),
    utilization: () => utilization,
    fanOut: async (limit) => {
      seen.fanOuts.push(limit)
      const done = Math.min(limit, waitingEvents)
      waitingEvents -= done
      return { events: done, is_behind: waitingEvents > 0 }
    },
    claim: async (limits) => {
      seen.claims.push(limits)
      return { deliveries: jobs.splice(0, limits.healthy).map(deliveryOf), waited_ms }
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
    renew: async (attempts) => {
      seen.renewed.push(attempts.map(({ id }) => id))
    },
    release: async (ids) => {
      released.push(...ids)
    },
    giveUp: async () => {
      seen.givenUp += 1
    },
  })
  worker.start()
  return {
    worker,
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
    const { answer, recorded, released, worker, seen } = startWorker(jobs)
    await vi.advanceTimersByTimeAsync(0)
    let isClosed = false
    const closing = worker.close().then(() => {
      isClosed = true
    })
    const polls = seen.claims.length
    jobs.push(jobFor(2))
    await vi.advanceTimersByTimeAsync(7_000)
    expect(isClosed).toBe(false)

    answer(1)
    await closing

    expect(recorded).toEqual([1])
    expect(released).toEqual([])
    expect(seen.claims).toHaveLength(polls)
  })

  it('stopping deliveries aborts attempts that run after 8 s, and releases their jobs', async () => {
    const { recorded, released, worker } = startWorker([jobFor(1), jobFor(2)])
    await vi.advanceTimersByTimeAsync(0)

    const closing = worker.close()
    await vi.advanceTimersByTimeAsync(7_999)
    expect(released).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await closing

    expect(released.sort()).toEqual([1, 2])
    expect(recorded).toEqual([])
  })
})

describe('a claim of deliveries', () => {
  it('a claim is renewed as long as the attempt runs, and no longer', async () => {
    const { answer, seen } = startWorker([jobFor(1)])
    await vi.advanceTimersByTimeAsync(4_000)
    expect(seen.renewed).toEqual([[1], [1]])

    answer(1)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(seen.renewed).toHaveLength(2)
  })

  it('a claim leaves out receivers with four running retries', async () => {
    const { seen } = startWorker([1, 2, 3, 4].map((id) => jobFor(id, 'failing', 2)))
    await vi.advanceTimersByTimeAsync(500)

    expect(seen.claims.at(-1)?.saturatedReceivers).toEqual(['failing'])
  })

  it('a claim has at most as many jobs as may run at once, two thirds of them first attempts', async () => {
    const first = Array.from({ length: 5 }, (_, index) => jobFor(index, `receiver ${index}`))
    const retries = Array.from({ length: 2 }, (_, index) => jobFor(10 + index, `failing ${index}`, 2))
    const { seen } = startWorker([...first, ...retries], { connections: 9, utilization: 0 })
    await vi.advanceTimersByTimeAsync(1_500)

    expect(seen.claims[0]).toMatchObject({ healthy: 6, failing: 6, retries: 3 })
    expect(seen.claims.at(-1)).toMatchObject({ healthy: 1, failing: 1, retries: 1 })
  })
})

describe('deliveries while flags are changed', () => {
  it('deliveries are throttled while flags are changed, and catch up when all is quiet', async () => {
    const { worker, seen } = startWorker([], { events: 1_000 })
    await vi.advanceTimersByTimeAsync(5_000)
    const before = seen.fanOuts.length

    for (let change = 0; change < 100; change += 1) {
      worker.wake()
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
    const { worker, seen } = startWorker([])
    await vi.advanceTimersByTimeAsync(250)
    const before = seen.claims.length

    worker.wake()
    await vi.advanceTimersByTimeAsync(10)

    expect(seen.claims.length).toBe(before + 1)
  })
})

describe('deliveries under steady changes', () => {
  const changeFor = async (worker: DeliveryWorker, ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) {
      worker.wake()
      await vi.advanceTimersByTimeAsync(10)
    }
  }

  it('deliveries use full batches while there is time beside steady changes', async () => {
    const { worker, seen } = startWorker([], { events: 10_000, utilization: 0.3 })
    await changeFor(worker, 300)

    expect(new Set(seen.fanOuts)).toEqual(new Set([100]))
  })

  it('deliveries use full batches for events that have waited long', async () => {
    const { more, worker, seen } = startWorker([])
    await changeFor(worker, 500)
    more(10_000)
    const before = seen.fanOuts.length

    await changeFor(worker, 3_400)

    const meanwhile = seen.fanOuts.slice(before)
    expect(meanwhile[0]).toBe(1)
    expect(meanwhile).toContain(100)
  })

  it('deliveries use full batches for jobs that have waited long', async () => {
    const { worker, seen } = startWorker([], { waited_ms: 3_100 })
    await changeFor(worker, 500)

    expect(seen.claims.at(-1)?.healthy).toBe(100)
  })

  it('other work runs between two deliveries', async () => {
    const order: string[] = []
    const { worker } = startWorker([jobFor(1), jobFor(2)], { onAttempt: (id) => order.push(`message ${id}`) })
    setImmediate(() => order.push('other work'))
    await vi.advanceTimersByTimeAsync(1)
    expect(order).toEqual(['message 1', 'other work', 'message 2'])
    expect(worker).toBeDefined()
  })
})

describe('retries of deliveries', () => {
  it('a retry of a requested delivery runs when it is due, not at the next poll', async () => {
    const { answer, worker, seen } = startWorker([], { next: { kind: 'retry', wait_ms: 1_200 } })
    await vi.advanceTimersByTimeAsync(3_000)
    const sent = worker.deliverNow(deliveryOf(jobFor(7)), async () => 'logged')
    await vi.advanceTimersByTimeAsync(100)
    answer(7)
    expect(await sent).toBe('logged')
    await vi.advanceTimersByTimeAsync(1_190)
    const before = seen.claims.length

    await vi.advanceTimersByTimeAsync(20)

    expect(seen.claims.length).toBe(before + 1)
  })
})

describe('deliveries that have waited for a day', () => {
  it('old deliveries are given up at the start and every minute', async () => {
    const { seen } = startWorker([])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen.givenUp).toBe(2)
  })
})
