import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'

const LOOK_INTERVAL_MS = 10
/** For a machine that is busy with other tests. It is no limit that anything is tested against. */
const PATIENCE_MS = 30_000

/**
 * Waits until `look` returns something other than null, undefined or false; fails after `patienceMs` with the
 * last error or result.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<Exclude<T, null | undefined | false>> {
  const deadline = performance.now() + patienceMs
  let last: unknown
  while (performance.now() < deadline) {
    try {
      const found = await look()
      if (isFound(found)) return found
      last = found
    } catch (error) {
      last = error
    }
    await delay(LOOK_INTERVAL_MS)
  }
  throw new Error(`what was waited for did not come; the last result was ${describe(last)}`, { cause: last })
}

const SHOWN_CHARACTERS = 2_000

const describe = (last: unknown): string =>
  (last instanceof Error ? last.message : inspect(last, { depth: 6 })).slice(0, SHOWN_CHARACTERS)

function isFound<T>(found: T): found is Exclude<T, null | undefined | false> {
  return found !== null && found !== undefined && found !== false
}
