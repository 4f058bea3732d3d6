/**
 * The most steps of an evaluation, of about a nanosecond each (docs/reference/operators.md#cost). It keeps
 * the product of many values and a large attribute from stalling the caller.
 */
export const MAX_STEPS = 20_000_000

/** One evaluation of a flag and of the prerequisites that it visits. */
export interface Run {
  /** A number that no other evaluation of the flag set has. */
  id: number
  /** The steps of the flags that were visited so far (docs/reference/operators.md#cost). */
  steps: number
  /** The results of functions for large attributes, by function and by attribute. */
  known: Results | null
  /** The results of functions for small attributes, which runs that follow one another share. */
  readonly kept: Results
  /** The number of those results. */
  keptCount: number
}

/** Results of functions, by function and by argument. The key of what a function has made is the function. */
type Results = Map<unknown, Map<unknown, unknown>>

/** The results that are kept. All of them are dropped when there would be more. */
const MAX_KEPT = 1000

export const createRun = (id = 1): Run => ({ id, steps: 0, known: null, kept: new Map(), keptCount: 0 })

/** Returns what a function makes of the value of an attribute. It is called once in a run. */
export function derive<Derived>(
  run: Run = createRun(),
  value: unknown,
  make: (value: unknown, run: Run) => Derived,
): Derived {
  run.known ??= new Map()
  const made = resultsOf(run.known, make)
  if (!made.has(value)) made.set(value, make(value, run))
  return made.get(value) as Derived
}

/** Returns what a function makes of a small value. Evaluations that follow do not call it again. */
export function keep<Made>(run: Run = createRun(), value: unknown, make: (value: unknown) => Made): Made {
  const found = run.kept.get(make)?.get(value)
  if (found !== undefined) return found as Made
  if (run.keptCount++ === MAX_KEPT) {
    run.kept.clear()
    run.keptCount = 1
  }
  const made = make(value)
  resultsOf(run.kept, make).set(value, made)
  return made
}

function resultsOf(results: Results, make: unknown): Map<unknown, unknown> {
  const made = results.get(make) ?? new Map<unknown, unknown>()
  results.set(make, made)
  return made
}
