import { textsOf } from './list.ts'
import { createRun, keep, type Run } from './run.ts'
import { type Condition, testAttribute } from './test-attribute.ts'

/** Versions are parsed to texts that order as they do, numbers and times to numbers; NaN is in no order. */
export type Ordered = string | number

/** A comparison by the order. */
export interface OrderedTest {
  // A method, so that a test of texts and a test of numbers both fit.
  test(subject: Ordered, value: Ordered): boolean
}

/** A kind of values with an order. */
export interface OrderedKind {
  readonly parse: (value: unknown, run?: Run) => Ordered
  /** Returns the smallest and the largest value of the kind among elements; NaN where there is none. */
  readonly boundsOf: (value: unknown, run: Run) => readonly [low: Ordered, high: Ordered]
}

/** @param isKept Whether small values are parsed once, because parsing takes longer than looking them up. */
export const orderedKind = (parse: (value: unknown) => Ordered, isKept = false): OrderedKind => ({
  parse: isKept ? (value, run) => keep(run, value, parse) : parse,
  boundsOf(value, run) {
    let low = Number.NaN as Ordered
    let high = low
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

/** Compiles a comparison in an order, in which the smallest or the largest value decides. */
export function compileOrdered(
  attribute: string,
  texts: ReadonlySet<string>,
  { boundsOf, parse }: OrderedKind,
  test: OrderedTest['test'],
): Condition {
  const [low, high] = boundsOf([...texts], createRun())
  const passes = (subject: Ordered) => test(subject, low) || test(subject, high)
  return testAttribute(
    attribute,
    (value, run) => passes(parse(value, run)),
    boundsOf,
    (bounds) => bounds.some(passes),
  )
}
