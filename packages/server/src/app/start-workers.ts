import type { Worker } from '../platform/composition.ts'

export interface RunningWorkers {
  /** Starts those that wait until the server listens. */
  onListening(): Promise<void>
  /** Resolves when every worker has finished its current work, those apart that end by themselves. */
  close(): Promise<void>
  /** Closes those that end by themselves, and resolves when they have. */
  closeOthers(): Promise<void>
}

/** Starts what runs without a request, one after the other. */
export async function startWorkers(workers: readonly Worker[]): Promise<RunningWorkers> {
  for (const worker of workers) if (!worker.waitsForListening) await worker.start()
  const closing = async (isOther: boolean) => {
    const closed = workers.filter(({ endsByItself = false }) => endsByItself === isOther)
    await Promise.all(closed.map((worker) => worker.close()))
  }
  return {
    async onListening() {
      for (const worker of workers) if (worker.waitsForListening) await worker.start()
    },
    close: () => closing(false),
    closeOthers: () => closing(true),
  }
}
