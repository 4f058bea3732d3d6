import type { Flag } from '@burgee/contract'
import { deepEqual, type Evaluation } from '@burgee/evaluation'

/** A flag beside what it gives the user. */
export interface Result {
  readonly flag: Flag
  readonly evaluation: Evaluation
}

/**
 * The results that a text and a filter leave. `different` keeps those whose value is not the flag's default
 * value.
 */
export function filterResults(results: readonly Result[], text: string, filter: string): Result[] {
  const wanted = text.trim().toLowerCase()
  return results.filter(
    (result) =>
      passes(result, filter) &&
      (result.flag.key.toLowerCase().includes(wanted) ||
        (result.flag.description ?? '').toLowerCase().includes(wanted)),
  )
}

function passes(result: Result, filter: string): boolean {
  if (filter === 'on') return result.evaluation.enabled
  if (filter === 'off') return !result.evaluation.enabled
  return filter !== 'different' || isDifferent(result)
}

/** True if the user gets another value than the flag's default value. */
export const isDifferent = ({ evaluation, flag }: Result): boolean =>
  !deepEqual(evaluation.value, flag.default_value)
