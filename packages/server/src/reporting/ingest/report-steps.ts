import { atOnce, inTurns } from '../../platform/concurrency/turns.ts'

/**
 * The reports of one step of a computation, which takes far less than a millisecond. Asking for the time
 * after each report would cost as much as some of them.
 */
export const REPORTS_PER_STEP = 32
/** The reports that are prepared in the turn of their request. */
const AT_ONCE_MAX = 100

/** Prepares the reports of one request. Only a long list waits for turns of its own. */
export const prepareReports = async <T>(count: number, steps: Generator<unknown, T>): Promise<T> =>
  count <= AT_ONCE_MAX ? atOnce(steps) : inTurns(steps)
