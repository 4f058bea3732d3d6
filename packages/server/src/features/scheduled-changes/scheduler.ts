import type { Clock } from '../../platform/clock.ts'
import { createCoalescedRun } from '../../platform/coalesced-run.ts'
import type { Log } from '../../platform/log.ts'
import { groupByEnvironment, selectDue } from './due-changes.ts'
import type { Execution } from './execute-scheduled-change.ts'
import type { DueChange, DueSelection } from './execution-queries.ts'

/** Well within the 2 s that a scheduled change may be late. */
const POLL_MS = 500
/** Environments that are worked on side by side: requests need database connections as well. */
const LANES = 4

export interface Scheduler {
  start(): void
  /** Runs at once what is due, instead of at the next poll. */
  runSoon(): void
  close(): Promise<void>
}

interface SchedulerDeps {
  readonly clock: Clock
  readonly log: Log
  readonly listDue: (selection: DueSelection) => Promise<readonly DueChange[]>
  /** Executes a change exactly once, whatever other instances do. */
  readonly execute: (change: DueChange) => Promise<Execution>
}

/**
 * Executes scheduled changes when they are due, those of one environment one after another in the order of
 * their time. Every instance runs a scheduler; the execution itself makes sure that a change runs once. An
 * instance that finds a change done by another one skips the environment until the next poll, so that they do
 * not all try everything.
 */
export function createScheduler({ clock, execute, listDue, log }: SchedulerDeps): Scheduler {
  let closed = false
  let timer: NodeJS.Timeout | undefined
  /**
   * Environments of other instances, or with a failed change, until the next poll: a run may last for much
   * longer.
   */
  const skipped = new Set<string>()
  const runs = createCoalescedRun({
    run,
    onError: (err) => log.warn({ err }, 'scheduled changes could not be read; retrying'),
    onRequestedMeanwhile: runSoon,
  })

  async function run(): Promise<void> {
    while (!closed) {
      const due = await listDue(selectDue(clock.now(), skipped))
      if (due.length === 0) return
      const waiting = groupByEnvironment(due)
      await Promise.all(Array.from({ length: LANES }, () => runLane(waiting)))
    }
  }

  async function runLane(waiting: DueChange[][]): Promise<void> {
    for (let changes = waiting.shift(); changes; changes = waiting.shift()) {
      const retried = new Set<string>()
      for (const change of changes) {
        if (closed) return
        if (retried.has(change.flag_key)) continue
        const outcome = await attempt(change)
        if (outcome === 'retried') retried.add(change.flag_key)
        if (outcome !== 'gone') continue
        skipped.add(change.environment_id)
        break
      }
    }
  }

  /**
   * A change that cannot be executed now holds back the later ones of its environment, until the next poll.
   */
  async function attempt(change: DueChange): Promise<Execution> {
    try {
      return await execute(change)
    } catch (err) {
      log.warn({ err, scheduled_change_id: change.id }, 'a scheduled change could not be executed; retrying')
      return 'gone'
    }
  }

  function runSoon(): void {
    if (!closed && timer !== undefined) runs.request()
  }

  function poll(): void {
    skipped.clear()
    runSoon()
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
      await runs.idle()
    },
  }
}
