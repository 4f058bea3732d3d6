import { readFileSync } from 'node:fs'
import { PATIENCE_MS } from './within.ts'

const LOOK_EVERY_MS = 50
const KIB = 1024
const MIB = 1024 * 1024

export interface Watched {
  /** The longest duration of `/health`. */
  readonly slowestHealthMs: number
  /** The number of failed requests to `/health`. */
  readonly healthFailures: number
  /** The peak of the process's memory. */
  readonly peakMib: number
  /** The difference between the peak and the start. */
  readonly grownMib: number
}

/** Requests a server's `/health` and reads its memory until `work` is done. */
export async function watchServer(
  { pid, url }: { readonly pid: number; readonly url: string },
  work: () => Promise<void>,
): Promise<Watched> {
  const startMib = residentMib(pid)
  let peakMib = startMib
  let slowestHealthMs = 0
  let healthFailures = 0
  let done = false
  const watching = (async () => {
    while (!done) {
      const started = performance.now()
      const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
        () => null,
      )
      await answer?.text()
      if (answer?.status !== 200) healthFailures += 1
      slowestHealthMs = Math.max(slowestHealthMs, performance.now() - started)
      peakMib = Math.max(peakMib, residentMib(pid))
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  })()
  try {
    await work()
  } finally {
    done = true
    await watching
  }
  return {
    slowestHealthMs: Math.round(slowestHealthMs),
    healthFailures,
    peakMib: Math.round(peakMib),
    grownMib: Math.round(peakMib - startMib),
  }
}

/** Returns 0 once the process has ended. */
function residentMib(pid: number): number {
  try {
    const [, kib = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return (Number(kib) * KIB) / MIB
  } catch {
    return 0
  }
}
