import { longestDelayMs } from '../../harness/loop-delay.ts'
import { watchServer } from '../../harness/watch-server.ts'
import type { FaultScale } from '../fault.ts'

interface Watched {
  /** For each piece of work, the longest time that the event loop was blocked, in milliseconds. */
  readonly gaps: readonly number[]
  readonly slowestHealthMs: number
  readonly healthFailures: number
}

/**
 * Runs pieces of work in sequence while `/health` is requested constantly, and measures how long each blocked
 * the event loop.
 */
export async function measureGaps(
  server: { readonly pid: number; readonly url: string },
  pieces: readonly (() => Promise<void>)[],
): Promise<Watched> {
  const gaps: number[] = []
  const watched = await watchServer(server, async () => {
    for (const piece of pieces) {
      await longestDelayMs(server.url)
      await piece()
      gaps.push(await longestDelayMs(server.url))
    }
  })
  return { ...watched, gaps }
}

/**
 * Returns the problems, and a text with the figures. The short form runs beside other tests, so its times are
 * not checked.
 */
export function assessGaps({ gaps, healthFailures, slowestHealthMs }: Watched, scale: FaultScale) {
  const sorted = gaps.toSorted((left, right) => left - right)
  const longest = sorted.at(-1) ?? 0
  const typical = sorted[Math.floor(sorted.length / 2)] ?? 0
  const broken: string[] = []
  const isTimed = scale === 'full'
  if (isTimed && longest > GAP_MAX_MS) broken.push(`the event loop was blocked for ${longest.toFixed(0)} ms`)
  if (healthFailures > 0) broken.push(`/health failed ${healthFailures} times meanwhile`)
  if (isTimed && slowestHealthMs > HEALTH_MAX_MS) broken.push(`/health took ${slowestHealthMs} ms`)
  return {
    broken,
    seen:
      `longest gap of the event loop ${longest.toFixed(0)} ms, typical ${typical.toFixed(0)} ms; ` +
      `/health within ${slowestHealthMs} ms meanwhile`,
  }
}
const GAP_MAX_MS = 1_000
const HEALTH_MAX_MS = 3_000
