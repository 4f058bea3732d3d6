import { createLog, type Log } from '../../src/platform/log.ts'

/** A log that writes nothing, for tests that are not about logging. */
export function silentLog(): Log {
  return createLog('error', { write: () => undefined })
}
