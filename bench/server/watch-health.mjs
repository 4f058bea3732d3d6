import { setTimeout as delay } from 'node:timers/promises'
import { openHttpConnection, requestBytes } from '../harness/http-connection.mjs'
import { monotonicMs } from '../harness/monotonic-ms.mjs'

const INTERVAL_MS = 5
const HEALTH = requestBytes({ method: 'GET', path: '/health' })

/**
 * Requests `/health` every 5 ms until `stop`, which returns each response's `{ from, to }` in monotonic
 * milliseconds.
 */
export async function watchHealth(port) {
  const connection = await openHttpConnection(port)
  const replies = []
  let stopped = false
  const watching = (async () => {
    while (!stopped) {
      const from = monotonicMs()
      const { status } = await connection.send(HEALTH)
      const to = monotonicMs()
      if (status !== 200) throw new Error(`/health returned ${status}`)
      replies.push({ from, to })
      if (to - from < INTERVAL_MS) await delay(INTERVAL_MS - (to - from))
    }
  })()
  // `stop` reports a failure; until then it is unhandled.
  watching.catch(() => {})
  return {
    async stop() {
      stopped = true
      await watching
      connection.close()
      return replies
    },
  }
}

/** Returns the longest duration, in milliseconds, of a response that overlapped one of the spans. */
export function slowestDuring(replies, spans) {
  const during = replies.filter(({ from, to }) => spans.some((span) => from < span.to && to > span.from))
  return during.reduce((slowest, { from, to }) => Math.max(slowest, to - from), 0)
}
