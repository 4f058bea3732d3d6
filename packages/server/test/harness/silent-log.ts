import { createLog, type Log } from '../../src/platform/log/log.ts'

/** Creates a log that writes nothing, for tests of other things. */
export function silentLog(): Log {
  return createLog('error', { write: () => undefined })
}
