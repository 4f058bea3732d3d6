import type { TestContext } from 'vitest'

/** Leaves a test out and says why, where whoever runs the tests sees it. */
export function skipBecause(context: TestContext, reason: string): never {
  process.stderr.write(`skipped "${context.task.name}": ${reason}\n`)
  return context.skip(reason)
}
