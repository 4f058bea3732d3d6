import { setTimeout as delay } from 'node:timers/promises'
import { percentile } from '../faults/assess/percentile.ts'
import { callApi } from './call-api.ts'

interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
  readonly headers: Readonly<Record<string, string>>
}

export interface LoadAnswer {
  /** 0 when there was none. */
  readonly status: number
  readonly hasRetryAfter: boolean
  readonly request: string
  readonly ms: number
}

export interface SteadyLoad {
  /** Returns the answers since the last call, and forgets them. */
  take(): readonly LoadAnswer[]
  /** Resolves when every request has its answer. */
  stop(): Promise<void>
}

const MS_PER_SECOND = 1_000
/** The most requests without an answer: further ones are not sent until there is one. */
const WAITING_MAX = 500

/**
 * Sends requests at a steady rate, whether or not earlier ones have been answered. `next` gives the request
 * of each number.
 */
export function startSteadyLoad(
  url: string,
  perSecond: number,
  next: (count: number) => LoadRequest,
): SteadyLoad {
  const waiting = new Set<Promise<void>>()
  let answers: LoadAnswer[] = []
  let isOver = false
  const send = async ({ body, headers, method, path }: LoadRequest) => {
    const startedMs = performance.now()
    const answer = await callApi(url, method, path, body, headers).catch(() => null)
    answers.push({
      status: answer?.status ?? 0,
      hasRetryAfter: answer?.headers.has('retry-after') ?? false,
      request: `${method} ${path}`,
      ms: performance.now() - startedMs,
    })
  }
  const running = (async () => {
    const startedMs = performance.now()
    for (let count = 0; !isOver; count += 1) {
      await delay(Math.max(0, startedMs + (count * MS_PER_SECOND) / perSecond - performance.now()))
      while (waiting.size >= WAITING_MAX) await Promise.race(waiting)
      const sent: Promise<void> = send(next(count)).finally(() => waiting.delete(sent))
      waiting.add(sent)
    }
    await Promise.all(waiting)
  })()
  return {
    take() {
      const taken = answers
      answers = []
      return taken
    },
    stop() {
      isOver = true
      return running
    },
  }
}

/**
 * Returns one sentence for each kind of request that had no answer, or a 5xx other than 503 with Retry-After.
 */
export function findFailures(answers: readonly LoadAnswer[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { hasRetryAfter, request, status } of answers) {
    if (status !== 0 && (status < 500 || (status === 503 && hasRetryAfter))) continue
    const kind = `${request} returned ${status === 0 ? 'nothing' : status}`
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, count]) => `${kind} (${count} times).`)
}

export const slowestMs = (answers: readonly LoadAnswer[]): number =>
  Math.round(
    percentile(
      answers.map(({ ms }) => ms),
      1,
    ),
  )

export const countRefused = (answers: readonly LoadAnswer[]): number =>
  answers.filter(({ status }) => status === 503).length
