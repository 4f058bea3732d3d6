import type { Evaluation } from '@burgee/evaluation'

/** The result of one flag for one user. */
export interface UserResult {
  readonly evaluation: Evaluation
  readonly isOn: boolean
  isReported: boolean
  /** The version of the flags and the user for which the result is known to hold. */
  version: number
  /** The evaluation with the fallback of the last caller: the same fallback gives the same object. */
  merged: Evaluation | null
}

/** The results of one user, which stay the same objects while they are equal. */
export interface UserResults {
  /** Returns the result that holds now. */
  read(flagKey: string): UserResult
  /** Returns the keys of results that changed since the last call, all of them read again now. */
  takeChanged(): Set<string>
  has(flagKey: string): boolean
  /** Lets each result be reported again. */
  forgetReports(): void
}

/** The number of results that are kept. A program with ever new keys loses them all at this number. */
const MAX_RESULTS = 20_000

/**
 * @param version Returns a number that grows with each change of the flags or the user.
 * @param evaluate Returns the result at this version.
 */
export function createUserResults(
  version: () => number,
  evaluate: (flagKey: string) => Pick<UserResult, 'evaluation' | 'isOn'>,
): UserResults {
  const results = new Map<string, UserResult>()
  let changed = new Set<string>()

  function read(flagKey: string): UserResult {
    const now = version()
    const before = results.get(flagKey)
    if (before?.version === now) return before
    let { evaluation, isOn } = evaluate(flagKey)
    if (before) {
      if (before.isOn === isOn && isSame(before.evaluation, evaluation)) {
        before.version = now
        return before
      }
      changed.add(flagKey)
      if (isSame(before.evaluation.value, evaluation.value)) {
        evaluation = { ...evaluation, value: before.evaluation.value }
      }
    } else if (results.size >= MAX_RESULTS) results.clear()
    const result = { evaluation, isOn, isReported: false, version: now, merged: null }
    results.set(flagKey, result)
    return result
  }

  return {
    read,
    takeChanged() {
      for (const flagKey of [...results.keys()]) read(flagKey)
      const taken = changed
      changed = new Set()
      return taken
    },
    has: (flagKey) => results.has(flagKey),
    forgetReports() {
      for (const result of results.values()) result.isReported = false
    },
  }
}

/** Returns whether two JSON values have the same text. */
export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
