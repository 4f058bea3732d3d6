import type { Steps } from './steps.ts'

/** The cost at which an exploration ends without a decision. */
export interface ExplorationLimits {
  /** The rules on all paths, of prerequisites too; 200,000 by default. */
  readonly paths?: number
  /** Milliseconds; 1,000 by default. */
  readonly time?: number
}

/** Counts one step of an exploration, and throws a RangeError beyond the limits. */
export type Spend = () => void

const PATHS_MAX = 200_000
const TIME_MAX_MS = 1000

/** Returns the count of one exploration and the clock for its other work, which both throw a RangeError. */
export function createBudget({ paths = PATHS_MAX, time = TIME_MAX_MS }: ExplorationLimits = {}): {
  readonly spendPath: Spend
  readonly spendTime: Spend
} {
  const end = Date.now() + time
  let count = 0
  const spendTime = () => {
    if (Date.now() > end) throw new RangeError('time')
  }
  const spendPath = () => {
    if (++count > paths) throw new RangeError('paths')
    spendTime()
  }
  return { spendPath, spendTime }
}

/** The small steps between two checks of the time. */
const STEPS_AT_ONCE = 1_000

/** Returns a count of small steps, which checks the time and returns true whenever the work should yield. */
export function createPauses(spendTime: Spend): (steps: number) => boolean {
  let count = 0
  return (steps) => {
    count += steps
    if (count < STEPS_AT_ONCE) return false
    count = 0
    spendTime()
    return true
  }
}

/** Runs steps of work, with the other result where they throw a RangeError, as a full stack does. */
export function* stepsWithinLimits<Result>(steps: Steps<Result>, otherwise: Result): Steps<Result> {
  try {
    return yield* steps
  } catch (error) {
    if (error instanceof RangeError) return otherwise
    throw error
  }
}

/** Returns the result of the work, or the other one where it throws a RangeError, as a full stack does. */
export function withinLimits<Result>(work: () => Result, otherwise: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) return otherwise()
    throw error
  }
}
