import { REPORTS_PER_STEP } from '../ingest/report-steps.ts'
import type { CleanGoalEvent } from './goal-event-batch.ts'

/** The rollup rows of a group of goal events. Times are milliseconds since 1970. */
export interface GoalCounts {
  readonly goals: readonly GoalCount[]
  readonly users: readonly Reached[]
}

interface GoalCount {
  readonly event_key: string
  readonly total: number
  readonly last_seen: number
}

/** The first and last time that a user reached a goal, within the group. */
interface Reached {
  readonly event_key: string
  readonly user_hash: Buffer
  readonly first_at: number
  readonly last_at: number
}

interface Tally {
  readonly event_key: string
  total: number
  last_seen: number
  readonly users: Map<string, { first_at: number; last_at: number }>
}

/**
 * Counts before anything is stored: the database then gets each goal and user of the group once. It yields
 * between its steps.
 */
export function* countGoalEvents(
  events: readonly CleanGoalEvent[],
  hash: (text: string) => Buffer,
): Generator<void, GoalCounts> {
  const goals = new Map<string, Tally>()
  for (const [index, event] of events.entries()) {
    const { event_key } = event
    const tally = goals.get(event_key) ?? {
      event_key,
      total: 0,
      last_seen: Number.NEGATIVE_INFINITY,
      users: new Map(),
    }
    goals.set(event_key, tally)
    add(tally, event)
    if (index % REPORTS_PER_STEP === 0) yield
  }
  const tallies = [...goals.values()]
  return {
    goals: tallies,
    users: yield* hashUsers(tallies, hash),
  }
}

function* hashUsers(tallies: readonly Tally[], hash: (text: string) => Buffer): Generator<void, Reached[]> {
  const reached: Reached[] = []
  for (const { event_key, users } of tallies) {
    for (const [user_id, times] of users) {
      reached.push({ event_key, user_hash: hash(user_id), ...times })
      if (reached.length % REPORTS_PER_STEP === 0) yield
    }
  }
  return reached
}

function add(tally: Tally, { occurred_at, user_id }: CleanGoalEvent): void {
  tally.total += 1
  tally.last_seen = Math.max(tally.last_seen, occurred_at)
  if (user_id === null) return
  const reached = tally.users.get(user_id)
  if (!reached) {
    tally.users.set(user_id, { first_at: occurred_at, last_at: occurred_at })
    return
  }
  reached.first_at = Math.min(reached.first_at, occurred_at)
  reached.last_at = Math.max(reached.last_at, occurred_at)
}
