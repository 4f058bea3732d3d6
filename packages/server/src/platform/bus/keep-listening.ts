import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../log/log.ts'

const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 2_000

type Needs = {
  log: Log
  /** The channel: lower-case letters and underscores only, because it is written into the statement. */
  channel: string
  createClient: () => pg.Client
  onPayload: (payload: string | undefined) => void
}

/**
 * Listens on a channel until closed, over a new connection whenever one breaks. It logs only changes of
 * state.
 */
export function keepListening(needs: Needs): { close(): Promise<void> } {
  const stop = new AbortController()
  const running = listenUntilStopped(needs, stop.signal)
  return {
    async close() {
      stop.abort()
      await running
    },
  }
}

async function listenUntilStopped(needs: Needs, signal: AbortSignal): Promise<void> {
  let failures = 0
  let reported = false
  while (!signal.aborted) {
    await listenOnce(needs, signal, () => {
      if (reported) needs.log.info('the database connection for change hints is back')
      failures = 0
      reported = false
    })
    if (signal.aborted) return
    if (!reported)
      needs.log.warn(
        'the database connection for change hints is lost: changes of other instances arrive by polling',
      )
    reported = true
    await pause(Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 10), LAST_RETRY_MS), signal)
    failures += 1
  }
}

/** Resolves when the connection has ended, for any reason. */
async function listenOnce(needs: Needs, signal: AbortSignal, onListening: () => void): Promise<void> {
  const client = needs.createClient()
  const done = new AbortController()
  const over = new Promise<void>((resolve) => {
    client.once('end', resolve)
    client.on('error', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true, signal: done.signal })
  })
  client.on('notification', ({ payload }) => needs.onPayload(payload))
  try {
    await Promise.race([
      over,
      client
        .connect()
        .then(() => client.query(`listen ${needs.channel}`))
        .then(onListening),
    ])
    await over
  } catch {
    // The database is unreachable; the loop above tries again.
  } finally {
    done.abort()
    await client.end().catch(() => undefined)
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
