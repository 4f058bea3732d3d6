import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { DueChange, DueSelection, Execution } from './index.ts'

/** The interval of the poll, well below the 2 s that a scheduled change may be late. */
const POLL_MS = 500
const DUE_LIMIT = 200
/** The changes of one environment in a run, so that a backlog does not delay others. */
const DUE_PER_ENVIRONMENT = 20
/** The environments that are processed concurrently. Requests need database connections as well. */
const LANES = 4

export interface ScheduledChangesRun {
  start(): void
  /** Polls at once instead of at the next interval. */
  runSoon(): void
  close(): Promise<void>
}

interface RunDeps {
  readonly clock: Clock
  readonly log: Log
  readonly listDue: (selection: DueSelection) => Promise<readonly DueChange[]>
  /** Executes a change exactly once, whatever other instances do. */
  readonly execute: (change: DueChange) => Promise<Execution>
}

/**
 * Executes scheduled changes when they are due, those of one environment one after another in the order of
 * their time. Every instance does; the execution itself ensures that each is done once. An instance that
 * finds that another was faster leaves the environment to it until the next poll, so that they do not all try
 * everything.
 */
export function createScheduledChangesRun({ clock, execute, listDue, log }: RunDeps): ScheduledChangesRun {
  let running: Promise<void> | null = null
  let runAgain = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  /**
   * Environments that another instance processes, or that failed, until the next poll. A run may take much
   * longer.
   */
  const leftAlone = new Set<string>()

  async function run(): Promise<void> {
    while (!closed) {
      const due = await listDue({
        now: clock.now().toISOString(),
        limit: DUE_LIMIT,
        perEnvironment: DUE_PER_ENVIRONMENT,
        except: [...leftAlone],
      })
      if (due.length === 0) return
      const waiting = byEnvironment(due)
      const lanes = Array.from({ length: LANES }, () => runLane(waiting))
      await Promise.all(lanes)
    }
  }

  async function runLane(waiting: DueChange[][]): Promise<void> {
    for (let changes = waiting.shift(); changes; changes = waiting.shift()) {
      for (const change of changes) {
        if (closed) return
        if (await attempt(change)) continue
        leftAlone.add(change.environment_id)
        break
      }
    }
  }

  /**
   * Executes a change. One that cannot be done now delays those after it in its environment until the next
   * poll.
   */
  async function attempt(change: DueChange): Promise<boolean> {
    try {
      return (await execute(change)) === 'done'
    } catch (err) {
      log.warn({ err, scheduled_change_id: change.id }, 'a scheduled change could not be run; trying again')
      return false
    }
  }

  function poll(): void {
    leftAlone.clear()
    runSoon()
  }

  function runSoon(): void {
    if (closed || timer === undefined) return
    if (running !== null) {
      runAgain = true
      return
    }
    running = run()
      .catch((err: unknown) => log.warn({ err }, 'scheduled changes could not be read; trying again'))
      .finally(() => {
        running = null
        if (!runAgain) return
        runAgain = false
        runSoon()
      })
  }

  return {
    start() {
      timer = setInterval(poll, POLL_MS)
      poll()
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
