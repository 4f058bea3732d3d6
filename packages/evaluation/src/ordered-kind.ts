import { textsOf } from './list.ts'
import type { Run } from './run.ts'

/** Versions are parsed to texts that order as they do, numbers and times to numbers; NaN is in no order. */
export type Ordered = string | number

/** A comparison by the order. */
export interface OrderedTest {
  // A method, so that a test of texts and a test of numbers both fit.
  test(subject: Ordered, value: Ordered): boolean
}

/** A kind of values with an order. */
export interface OrderedKind {
  readonly parse: (value: unknown) => Ordered
  /** Returns the smallest and the largest value of the kind among elements; NaN where there is none. */
  readonly boundsOf: (value: unknown, run: Run) => readonly [low: Ordered, high: Ordered]
}

const NONE: readonly [Ordered, Ordered] = [Number.NaN, Number.NaN]

export const orderedKind = (parse: (value: unknown) => Ordered): OrderedKind => ({
  parse,
  boundsOf(value, run) {
    let [low, high] = NONE
    for (const text of textsOf(value, run)) {
      const each = parse(text)
      if (Number.isNaN(each)) continue
      // Nothing is above or below NaN.
      low = low <= each ? low : each
      high = high >= each ? high : each
    }
    return [low, high]
  },
})
