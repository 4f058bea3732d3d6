import type { Delivery, DeliveryJob, FinishedAttempt } from './delivery-job.ts'

/** The attempts that this instance is making. */
export interface RunningAttempts {
  jobs(): DeliveryJob[]
  has(jobId: number): boolean
  /** Makes an attempt and records it. Null when it was aborted; its job is then released. */
  run<T>(delivery: Delivery, record: (attempt: FinishedAttempt) => Promise<T>): Promise<T | null>
  /** Resolves when all attempts have ended, with or without success. */
  ended(): Promise<unknown>
  abort(): void
}

export interface RunningAttemptsDeps {
  /** Null when the signal aborted it. Never throws. */
  readonly attempt: (delivery: Delivery, signal: AbortSignal) => Promise<FinishedAttempt | null>
  readonly release: (jobIds: readonly number[]) => Promise<void>
  /** Called with the time after which the job of a failed attempt is due again. */
  readonly onRetry: (waitMs: number) => void
}

export function createRunningAttempts({ attempt, onRetry, release }: RunningAttemptsDeps): RunningAttempts {
  const running = new Map<
    number,
    { readonly job: DeliveryJob; readonly abort: AbortController; readonly ended: Promise<unknown> }
  >()
  return {
    jobs: () => [...running.values()].map(({ job }) => job),
    has: (jobId) => running.has(jobId),
    async run(delivery, record) {
      const { job } = delivery
      const abort = new AbortController()
      const work = async () => {
        const finished = await attempt(delivery, abort.signal)
        if (finished === null) {
          await release([job.id])
          return null
        }
        const recorded = await record(finished)
        if (finished.next.kind === 'retry') onRetry(finished.next.wait_ms)
        return recorded
      }
      const ended = work().finally(() => running.delete(job.id))
      running.set(job.id, { job, abort, ended })
      return ended
    },
    ended: () => Promise.allSettled([...running.values()].map(({ ended }) => ended)),
    abort() {
      for (const { abort } of running.values()) abort.abort()
    },
  }
}
