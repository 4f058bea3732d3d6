import type { DueChange } from '../features/scheduled-changes/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

/** Well within the 2 s that a scheduled change may be late. */
const POLL_MS = 500
const DUE_LIMIT = 200

export interface ScheduledChangesRun {
  start(): void
  /** Looks at once instead of at the next poll. */
  runSoon(): void
  close(): Promise<void>
}

interface RunDeps {
  readonly clock: Clock
  readonly log: Log
  readonly listDue: (now: string, limit: number) => Promise<readonly DueChange[]>
  /** Does one, once, whatever other instances do. */
  readonly execute: (change: DueChange) => Promise<void>
}

/**
 * Executes scheduled changes when they are due, those of one environment one after another in the order of their time. Every
 * instance does: what is done once is seen to by the execution itself.
 */
export function createScheduledChangesRun({ clock, execute, listDue, log }: RunDeps): ScheduledChangesRun {
  let running: Promise<void> | null = null
  let run_again = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    for (;;) {
      const due = await listDue(clock.now().toISOString(), DUE_LIMIT)
      await Promise.all(byEnvironment(due).map(executeInOrder))
      if (closed || due.length < DUE_LIMIT) return
    }
  }

  /** What cannot be done now holds back what comes after it in its environment, until the next poll. */
  async function executeInOrder(changes: readonly DueChange[]): Promise<void> {
    for (const change of changes) {
      if (closed) return
      await execute(change)
    }
  }

  function runSoon(): void {
    if (closed || timer === undefined) return
    if (running !== null) {
      run_again = true
      return
    }
    running = run()
      .catch((err: unknown) => log.warn({ err }, 'scheduled changes could not be run; trying again'))
      .finally(() => {
        running = null
        if (!run_again) return
        run_again = false
        runSoon()
      })
  }

  return {
    start() {
      timer = setInterval(runSoon, POLL_MS)
      runSoon()
    },
    runSoon,
    async close() {
      closed = true
      clearInterval(timer)
      await running
    },
  }
}

function byEnvironment(due: readonly DueChange[]): DueChange[][] {
  const groups = new Map<string, DueChange[]>()
  for (const change of due) {
    const group = groups.get(change.environment_id)
    if (group) group.push(change)
    else groups.set(change.environment_id, [change])
  }
  return [...groups.values()]
}
