import { askProgram } from './ask-program.ts'
import { bearer } from './call-api.ts'
import type { Stage } from './open-stage.ts'
import { SDK_KEY } from './start-server.ts'

interface CrowdStatus {
  /** The number of readers that have all flags and are still connected. */
  readonly ready: number
  /** The number of connections that ended. */
  readonly lost: number
  /** The time when the last of them was ready, in milliseconds since 1970. */
  readonly lastReadyAt: number
}

/** Many readers of one server's stream, on raw sockets, in their own process. */
export interface StreamCrowd {
  status(): Promise<CrowdStatus>
  /** Stops reading without closing the connections. */
  pause(): Promise<void>
}

/**
 * Starts the readers. `reconnect`: all that lost their connection reconnect at the same moment, as soon as a
 * server listens again.
 */
export function startStreamCrowd(
  stage: Stage,
  { count, key = SDK_KEY, reconnect, url }: { url: string; count: number; key?: string; reconnect: boolean },
): StreamCrowd {
  const port = Number(new URL(url).port)
  const ask = askProgram(stage, 'stream-crowd.mjs', { port, count, reconnect, headers: bearer(key) })
  return { status: () => ask('status'), pause: () => ask('pause') }
}
