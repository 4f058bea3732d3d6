import type { Writer } from '../../harness/write-continuously.ts'

/**
 * Returns one sentence for each kind of response to a write that is neither 200 nor a 503 with the time to
 * retry.
 */
export function findOtherAnswers({ refused }: Pick<Writer, 'refused'>): readonly string[] {
  const counts = new Map<string, number>()
  for (const { hasRetryAfter, status } of refused) {
    if (status === 503 && hasRetryAfter) continue
    const what = status === 503 ? '503 without Retry-After' : String(status)
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts].map(([what, count]) => `${count} writes got ${what}.`)
}
