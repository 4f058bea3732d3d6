import { setTimeout as delay } from 'node:timers/promises'
import { callApi } from './call-api.ts'

/** A write that the server answered with 200. */
export interface AcknowledgedWrite {
  readonly flag_key: string
  readonly value: number
  readonly revision: number
  /** When the answer came, on the clock of `performance.now()`. */
  readonly answeredAt: number
}

interface RefusedWrite {
  readonly status: number
  readonly hasRetryAfter: boolean
}

export interface Writer {
  /** Every acknowledged write so far, in the order of the answers. */
  readonly acknowledged: readonly AcknowledgedWrite[]
  /** Writes that got no answer or another than 200: they may have happened or not. */
  unanswered(): number
  /** Of the writes without a 200 those that were answered: the status, and whether the answer said when to try again. */
  readonly refused: readonly RefusedWrite[]
  /** Resolves when all running writes have ended. */
  stop(): Promise<void>
}

/** Each flag is written 25 times a second: eight of them make 200 writes a second. */
const PACE_MS = 40

/** Sets each flag to 1, 2, 3 and so on, at a steady pace, whether the server is there or not. A number is never written twice. */
export function writeContinuously(url: string, environment_id: string, flag_keys: readonly string[]): Writer {
  const acknowledged: AcknowledgedWrite[] = []
  const refused: RefusedWrite[] = []
  let unanswered = 0
  let stopped = false

  async function write(flag_key: string): Promise<void> {
    let due_at = performance.now()
    for (let value = 1; !stopped; value += 1) {
      try {
        const path = `/api/environments/${environment_id}/flags/${flag_key}`
        const { body, headers, status } = await callApi(url, 'PATCH', path, { default_value: value })
        if (status !== 200) {
          refused.push({ status, hasRetryAfter: headers.has('retry-after') })
          throw new Error(`answered ${status}`)
        }
        acknowledged.push({ flag_key, value, revision: body.revision, answeredAt: performance.now() })
      } catch {
        unanswered += 1
        // What could not be written while nobody was there is not caught up with.
        due_at = performance.now()
      }
      due_at += PACE_MS
      await delay(Math.max(0, due_at - performance.now()))
    }
  }

  const writing = flag_keys.map(write)
  return {
    acknowledged,
    refused,
    unanswered: () => unanswered,
    async stop() {
      stopped = true
      await Promise.all(writing)
    },
  }
}
