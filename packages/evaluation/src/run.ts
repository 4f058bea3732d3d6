/**
 * The most steps of an evaluation, of about a nanosecond each (docs/reference/operators.md#cost). It keeps
 * the product of many values and a large attribute from stalling the caller.
 */
export const MAX_STEPS = 20_000_000

/** One evaluation of a flag and of the prerequisites that it visits. */
export interface Run {
  /** A number that no other evaluation of the flag set has; results are memoized by it. */
  readonly id: number
  /** The steps of the flags that were visited so far (docs/reference/operators.md#cost). */
  steps: number
  /** Derivations of large attributes, by their values. */
  known: Map<unknown, Derivation[]> | null
}

/** The result of a function for the value of an attribute. */
interface Derivation {
  readonly make: unknown
  readonly made: unknown
}

export const createRun = (id = 0): Run => ({ id, steps: 0, known: null })

/** Returns what a function makes of the value of an attribute. It is called once in a run. */
export function derive<Derived>(
  run: Run = createRun(),
  value: unknown,
  make: (value: unknown, run: Run) => Derived,
): Derived {
  run.known ??= new Map()
  let known = run.known.get(value)
  if (!known) {
    known = []
    run.known.set(value, known)
  }
  // There are only a few functions. Each is the key of what it has returned.
  for (const one of known) if (one.make === make) return one.made as Derived
  const made = make(value, run)
  known.push({ make, made })
  return made
}
