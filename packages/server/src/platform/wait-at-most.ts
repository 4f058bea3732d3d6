import { within } from './within.ts'

/** Waits for the work, but at most `ms`, so that a hanging part does not delay a shutdown. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  await within<unknown>(ms, work, () => undefined)
}
