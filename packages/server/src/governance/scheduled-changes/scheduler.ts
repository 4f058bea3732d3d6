import type { Clock } from '../../platform/clock.ts'
import { createCoalescedRun } from '../../platform/concurrency/coalesced-run.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Execution } from './execute-scheduled-change.ts'
import type { DueSelection } from './execution-queries.ts'
import { createLanes } from './lanes.ts'

/** Well within the 2 s that a scheduled change may be late. */
const POLL_MS = 500
/** The environments that are read at a time. */
const ENVIRONMENTS_MAX = 500
/**
 * The changes of an environment in one turn of its writes, and the time after which no further one begins: a
 * shorter one while others wait for a connection.
 */
const CHANGES_PER_TURN = 4
const TURN_MS = { alone: 1_000, besideOthers: 250 }

/**
 * The wait for a lock in the database, and the connections that may wait at a time: requests need connections
 * as well. An environment whose lock was not free waits for longer from then on, beside others of its kind,
 * so that idle environments are not held up.
 */
const QUICK = { lockTimeoutMs: 250, connections: 4, share: 0.4 }
const PATIENT = { lockTimeoutMs: 2_000, connections: 2, share: 0.2 }

export interface Scheduler {
  start(): void
  /** Runs at once what is due, instead of at the next poll. */
  runSoon(): void
  close(): Promise<void>
}

interface SchedulerDeps {
  readonly clock: Clock
  readonly log: Log
  /** The size of the pool of connections. */
  readonly connections: number
  /** Returns the environments with due changes, the one with the earliest first. */
  readonly listDue: (selection: DueSelection) => Promise<readonly string[]>
  /** Runs the work in the turn of the environment's writes, before waiting ones of requests. */
  readonly inTurn: <T>(environment_id: string, work: () => Promise<T>) => Promise<T>
  /** Executes the next due change of the environment exactly once, whatever other instances do. */
  readonly executeNext: (environment_id: string, options: { lockTimeoutMs: number }) => Promise<Execution>
}

/**
 * Executes scheduled changes when they are due. Each environment with due changes has a loop of its own,
 * which executes them one after another in the order of their time, so that a busy or locked environment
 * delays no other. Every instance runs a scheduler: each change is selected and executed under the lock of
 * its environment, so that instances which work on the same environment take turns.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory whose functions share state
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { clock, executeNext, inTurn, listDue, log } = deps
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const loops = new Map<string, Promise<void>>()
  /** Environments whose lock was not free, until they are quick again or have no more due changes. */
  const late = new Set<string>()
  /** Environments with a failed attempt, until the next poll. */
  const failed = new Set<string>()
  const [quick, patient] = [openLanes(QUICK, deps.connections), openLanes(PATIENT, deps.connections)]
  const runs = createCoalescedRun({
    run,
    onError: (err) => log.warn({ err }, 'scheduled changes could not be read; retrying'),
    onRequestedMeanwhile: runSoon,
  })

  async function run(): Promise<void> {
    const except = [...loops.keys(), ...failed]
    const due = await listDue({ now: clock.now().toISOString(), limit: ENVIRONMENTS_MAX, except })
    for (const id of due) {
      if (closed || loops.has(id)) continue
      loops.set(
        id,
        loop(id).finally(() => loops.delete(id)),
      )
    }
  }

  async function loop(environment_id: string): Promise<void> {
    let hasMore = true
    while (hasMore && !closed) hasMore = await attempt(environment_id)
  }

  /** Executes changes in one turn. Returns whether there may be more. */
  async function attempt(environment_id: string): Promise<boolean> {
    const isLate = late.has(environment_id)
    const startedMs = clock.monotonicMs()
    const kind = isLate ? patient : quick
    try {
      const hasMore = await kind.lanes.run(
        (work) => inTurn(environment_id, work),
        () => executeSome(environment_id, kind),
      )
      const isQuick = clock.monotonicMs() - startedMs < QUICK.lockTimeoutMs
      if (isQuick || !hasMore) late.delete(environment_id)
      return hasMore
    } catch (err) {
      late.add(environment_id)
      if (!isLate) return true
      failed.add(environment_id)
      log.warn({ err, environment_id }, 'a scheduled change could not be executed; retrying')
      return false
    }
  }

  async function executeSome(
    environment_id: string,
    { lanes, lockTimeoutMs }: typeof quick,
  ): Promise<boolean> {
    const startedMs = clock.monotonicMs()
    const isOver = () =>
      clock.monotonicMs() - startedMs >= (lanes.hasWaiting() ? TURN_MS.besideOthers : TURN_MS.alone)
    for (let executed = 0; executed < CHANGES_PER_TURN; executed += 1) {
      if (closed) return false
      if (executed > 0 && isOver()) return true
      const outcome = await executeNext(environment_id, { lockTimeoutMs })
      if (outcome === 'none') return false
    }
    return true
  }

  function runSoon(): void {
    if (!closed && timer !== undefined) runs.request()
  }

  function poll(): void {
    failed.clear()
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
      await Promise.all(loops.values())
    },
  }
}

const openLanes = ({ connections, lockTimeoutMs, share }: typeof QUICK, pool: number) => ({
  lockTimeoutMs,
  lanes: createLanes(Math.max(1, Math.min(connections, Math.floor(pool * share)))),
})
