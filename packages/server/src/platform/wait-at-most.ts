import { within } from './within.ts'

/** Waits for the work, but no longer than `ms`: for shutting down, where something that hangs must not hold up the rest. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  await within<unknown>(ms, work, () => undefined)
}
