import { setTimeout as delay } from 'node:timers/promises'
import { callApi } from './call-api.ts'

/** A write with the response 200. */
export interface AcknowledgedWrite {
  readonly flag_key: string
  readonly value: number
  readonly revision: number
  /** The time of the response, on the clock of `performance.now()`. */
  readonly answeredAt: number
}

interface RefusedWrite {
  readonly status: number
  readonly hasRetryAfter: boolean
}

export interface Writer {
  /** Every acknowledged write so far, in the order of the responses. */
  readonly acknowledged: readonly AcknowledgedWrite[]
  /**
   * Returns the number of writes without a response, or with another status than 200: they may be stored or
   * not.
   */
  unanswered(): number
  /** The responses other than 200: the status, and whether it had the time to retry. */
  readonly refused: readonly RefusedWrite[]
  /** Returns the number of writes per second, with or without a response, until it was stopped. */
  perSecond(): number
  /** Resolves when all running writes have ended. */
  stop(): Promise<void>
}

/** The rate of all flags together. Each waits for its last response, so a slow server gets fewer. */
const AIM_PER_SECOND = 200
const MS_PER_SECOND = 1_000

/**
 * Sets each flag to 1, 2, 3 and so on at a steady pace, whether or not the server runs. A number is never
 * written twice.
 */
export function writeContinuously(
  url: string,
  environment_id: string,
  flagKeys: readonly string[],
  headers?: Readonly<Record<string, string>>,
): Writer {
  const paceMs = (flagKeys.length * MS_PER_SECOND) / AIM_PER_SECOND
  const startedAt = performance.now()
  let endedAt: number | null = null
  const acknowledged: AcknowledgedWrite[] = []
  const refused: RefusedWrite[] = []
  let unanswered = 0
  let stopped = false

  async function write(flag_key: string): Promise<void> {
    let dueAt = performance.now()
    for (let value = 1; !stopped; value += 1) {
      try {
        const path = `/api/environments/${environment_id}/flags/${flag_key}`
        const answer = await callApi(url, 'PATCH', path, { default_value: value }, headers)
        const { body, status } = answer
        if (status !== 200) {
          refused.push({ status, hasRetryAfter: answer.headers.has('retry-after') })
          throw new Error(`returned ${status}`)
        }
        acknowledged.push({ flag_key, value, revision: body.revision, answeredAt: performance.now() })
      } catch {
        unanswered += 1
        // Writes that were not possible without a server are not made later.
        dueAt = performance.now()
      }
      dueAt += paceMs
      await delay(Math.max(0, dueAt - performance.now()))
    }
  }

  const writing = flagKeys.map(write)
  return {
    acknowledged,
    refused,
    unanswered: () => unanswered,
    perSecond() {
      const seconds = ((endedAt ?? performance.now()) - startedAt) / MS_PER_SECOND
      return Math.round((acknowledged.length + unanswered) / seconds)
    },
    async stop() {
      stopped = true
      await Promise.all(writing)
      endedAt = performance.now()
    },
  }
}
