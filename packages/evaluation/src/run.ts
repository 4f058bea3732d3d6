/**
 * The most steps of an evaluation, of about a nanosecond each (docs/reference/operators.md#cost). It keeps
 * the product of many values and a large attribute from stalling the caller.
 */
export const MAX_STEPS = 20_000_000

/** One evaluation of a flag and of the prerequisites that it visits. */
export interface Run {
  /** A number that no other evaluation of the flag set has. */
  readonly id: number
  /** The steps of the flags that were visited so far (docs/reference/operators.md#cost). */
  steps: number
  /** The results of functions for large attributes, by function and by attribute. */
  known: Map<unknown, Map<unknown, unknown>> | null
}

export const createRun = (id = 1): Run => ({ id, steps: 0, known: null })

/** Returns what a function makes of the value of an attribute. It is called once in a run. */
export function derive<Derived>(
  run: Run = createRun(),
  value: unknown,
  make: (value: unknown, run: Run) => Derived,
): Derived {
  run.known ??= new Map()
  // The key of what a function has made is the function.
  const made = run.known.get(make) ?? new Map<unknown, unknown>()
  run.known.set(make, made)
  if (!made.has(value)) made.set(value, make(value, run))
  return made.get(value) as Derived
}
