import { unavailable } from './refusal.ts'

/** Counts steps of a check. Throws when there are too many, or when the time of the check is over. */
export type Spend = (steps: number) => void

/**
 * The budget of one request for checks of content that it brings along, such as a schema and its values. All
 * of its changes share it.
 */
export interface CheckBudget {
  /** Starts one check, which nothing interrupts. */
  start(): Spend
  /** Returns a budget of its own, for content that the request did not bring along. */
  renew(): CheckBudget
}

/** The steps of one check: some 40 ms of processor time at most. */
const CHECK_STEPS_MAX = 300_000
/** The steps of all checks of one request, between which other requests have their turns. */
const REQUEST_STEPS_MAX = 10 * CHECK_STEPS_MAX
/**
 * The time of one check. The steps end a check before it, unless the machine stands still or a step takes
 * longer than it should.
 */
const CHECK_MAX_MS = 2_000
/** The steps between two looks at the clock: some 100 microseconds. */
const STEPS_PER_LOOK = 2_000
const RETRY_AFTER_S = 5

/** A check, or all checks of its request, took too many steps. */
export class TooManySteps extends Error {
  /** True where the checks before it had left too few steps. */
  readonly isTogether: boolean

  constructor(isTogether: boolean) {
    super('The check takes too many steps.')
    this.isTogether = isTogether
  }
}

/**
 * Creates the budget of a request.
 *
 * @param monotonicMs Returns the time, as a clock does.
 */
export function createCheckBudget(monotonicMs: () => number): CheckBudget {
  let left = REQUEST_STEPS_MAX
  return {
    renew: () => createCheckBudget(monotonicMs),
    start() {
      const end = monotonicMs() + CHECK_MAX_MS
      const max = Math.min(left, CHECK_STEPS_MAX)
      let steps = 0
      let nextLook = STEPS_PER_LOOK
      return (more) => {
        steps += more
        left -= more
        if (steps > max) throw new TooManySteps(max < CHECK_STEPS_MAX)
        if (steps < nextLook) return
        nextLook = steps + STEPS_PER_LOOK
        if (monotonicMs() > end) throw late()
      }
    },
  }
}

const late = () =>
  unavailable('The check of a value took too long, because the server is busy. Try again.', RETRY_AFTER_S)
