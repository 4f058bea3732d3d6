import type { TestContext } from 'vitest'

/** Skips a test with a reason that the output of the run shows. */
export function skipBecause(context: TestContext, reason: string): never {
  process.stderr.write(`skipped "${context.task.name}": ${reason}\n`)
  return context.skip(reason)
}
