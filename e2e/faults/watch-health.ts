import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { PATIENCE_MS } from '../harness/within.ts'

const EVERY_MS = 50

export interface HealthWatch {
  /** Returns the milliseconds of each response, and the number of failed requests. */
  stop(): Promise<{ answersMs: readonly number[]; failed: number }>
}

/** Requests `/health` every 50 ms, each time over a new connection. */
export function watchHealth(url: string): HealthWatch {
  const answersMs: number[] = []
  let failed = 0
  let isStopped = false

  async function watch(): Promise<void> {
    while (!isStopped) {
      const askedAt = performance.now()
      const status = await ask(`${url}/health`)
      if (status === 200) answersMs.push(performance.now() - askedAt)
      else failed += 1
      await delay(EVERY_MS)
    }
  }

  const watching = watch()
  return {
    async stop() {
      isStopped = true
      await watching
      return { answersMs, failed }
    },
  }
}

/** Null without a response. */
function ask(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume()
      response.on('close', () => resolve(response.complete ? (response.statusCode ?? null) : null))
    })
    request.setTimeout(PATIENCE_MS, () => request.destroy())
    request.on('error', () => resolve(null))
  })
}
