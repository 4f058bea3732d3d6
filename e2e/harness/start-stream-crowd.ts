import { askProgram } from './ask-program.ts'
import { bearer } from './call-api.ts'
import type { Stage } from './open-stage.ts'
import { SDK_KEY } from './start-server.ts'

interface CrowdStatus {
  /** Readers that have got all flags and still have their connection. */
  readonly ready: number
  /** How often a connection ended. */
  readonly lost: number
  /** When the last of them was ready, in milliseconds since 1970. */
  readonly lastReadyAt: number
}

/** Many readers of one server's stream, on raw sockets, in a process of their own. */
export interface StreamCrowd {
  status(): Promise<CrowdStatus>
  /** They stop reading and keep their connections. */
  pause(): Promise<void>
}

/** `reconnect`: all that lost their connection come back in the same moment, as soon as a server listens again. */
export function startStreamCrowd(
  stage: Stage,
  { count, key = SDK_KEY, reconnect, url }: { url: string; count: number; key?: string; reconnect: boolean },
): StreamCrowd {
  const port = Number(new URL(url).port)
  const ask = askProgram(stage, 'stream-crowd.mjs', { port, count, reconnect, headers: bearer(key) })
  return { status: () => ask('status'), pause: () => ask('pause') }
}
