import type { ClientEvents } from './client.ts'
import { type ClientError, isRefusal } from './client-error.ts'
import type { Listeners } from './listeners.ts'
import type { Clock } from './platform.ts'

/** As long as a timer can take: 24 days. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Resolves with the next `ready`. Meanwhile a Node program does not end for having nothing else to do.
 *
 * @param timeoutMs Milliseconds.
 * @throws ClientError when the key is refused, the client is closed, or the time is over.
 */
export function untilReady(
  on: Listeners<ClientEvents & { closed: ClientError }>['on'],
  clock: Clock,
  timeoutMs: number = LONGEST_TIMEOUT_MS,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: ClientError) => {
      for (const stop of stops) stop()
      if (error) reject(error)
      else resolve()
    }
    const stops = [
      on('ready', () => settle()),
      on('closed', settle),
      on('error', (error) => {
        if (isRefusal(error.status)) settle(error)
      }),
      clock.setTimer(
        () => settle(new Error(`no flags within ${timeoutMs} ms`)),
        Math.min(timeoutMs, LONGEST_TIMEOUT_MS),
        true,
      ),
    ]
  })
}
