/** A computation that yields where it may be interrupted. */
export type Steps<Result> = Generator<void, Result>

/** Runs a computation to its end without an interruption. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
