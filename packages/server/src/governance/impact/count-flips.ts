import type { Impact } from '@burgee/contract'
import type { Comparison } from './compare.ts'
import { type ComparedUser, createFlagCounter, type FlagCounter } from './flag-counter.ts'

export interface CountedFlips {
  /** The users who were evaluated. */
  readonly known: number
  readonly with_attributes: number
  readonly changed: Impact['changed']
  readonly flags: Impact['flags']
}

/** The steps of large attributes (docs/reference/operators.md#cost) that count as one evaluation. */
const STEPS_AN_EVALUATION = 1_000
/** The evaluations and the time of one computation. Beyond them fewer users are evaluated. */
const EVALUATIONS_MAX = 2_000_000
const TIME_MAX_MS = 5_000
/** The characters of all values and example users of a response: one user key may have megabytes. */
const LISTED_MAX_LENGTH = 2 * 1024 * 1024

/** Evaluates users before and after: for the roots, and where one moves for the flags that need them. */
export function* countFlips(
  comparison: Comparison,
  users: Iterable<ComparedUser>,
  examplesMax: number,
): Generator<void, CountedFlips> {
  const listed = { left: LISTED_MAX_LENGTH }
  const positions = new Map<string, number>()
  const counters = [...comparison.causes].map(([key, cause]) => ({
    isRoot: cause !== 'prerequisite',
    ...createFlagCounter(comparison, { key, cause, positions, examplesMax, listed }),
  }))
  const roots = counters.filter(({ isRoot }) => isRoot)
  const others = counters.filter(({ isRoot }) => !isRoot)
  const changed = { certain: 0, possible: 0 }
  const end = Date.now() + TIME_MAX_MS
  const stepsOf = () => comparison.before.steps + comparison.after.steps
  let evaluations = 0
  let known = 0
  let with_attributes = 0
  for (const user of users) {
    const spent = evaluations + stepsOf() / STEPS_AN_EVALUATION
    if (spent > EVALUATIONS_MAX || Date.now() > end) break
    positions.clear()
    let most = yield* countAll(roots, user)
    const moves = most !== null
    if (moves) most = strongest(most, yield* countAll(others, user))
    evaluations += 2 * (moves ? counters.length : roots.length)
    known += 1
    if (user.hasAttributes) with_attributes += 1
    if (most !== null) changed[most] += 1
    yield
  }
  return { known, with_attributes, changed, flags: counters.flatMap((counter) => counter.toFlag()) }
}

type Certainty = ReturnType<FlagCounter['count']>

function* countAll(counters: readonly FlagCounter[], user: ComparedUser): Generator<void, Certainty> {
  let most: Certainty = null
  for (const counter of counters) {
    most = strongest(most, counter.count(user))
    // Each may need an exploration, compare values of a megabyte, or take the most steps twice.
    yield
  }
  return most
}

const strongest = (one: Certainty, other: Certainty): Certainty =>
  one === 'certain' || other === 'certain' ? 'certain' : (one ?? other)
