import type { Log } from '../log/log.ts'

interface PeriodicWork {
  readonly log: Log
  readonly everyMs: number
  /** The log line of a run that has failed. The next one tries again. */
  readonly failure: string
}

/** Runs work at intervals, one run at a time. `isClosed` becomes true where a run should end early. */
export function runPeriodically(
  { everyMs, failure, log }: PeriodicWork,
  work: (isClosed: () => boolean) => Promise<void>,
) {
  let running: Promise<void> | null = null
  let closed = false

  function run(): void {
    running ??= work(() => closed)
      .catch((err: unknown) => log.warn({ err }, failure))
      .finally(() => {
        running = null
      })
  }

  const timer = setInterval(run, everyMs)
  return {
    /** Runs it now, unless it is running. */
    run,
    async close(): Promise<void> {
      closed = true
      clearInterval(timer)
      await running
    },
  }
}

/** Repeats a step that handles at most `rows` rows while it handles that many. */
export async function inBites(
  rows: number,
  isClosed: () => boolean,
  bite: (rows: number) => Promise<number>,
): Promise<void> {
  while (!isClosed() && (await bite(rows)) === rows);
}
