import type { Writer } from '../../harness/write-continuously.ts'

/** One sentence for each kind of answer to a write that is neither 200 nor a 503 that says when to try again. */
export function findOtherAnswers({ refused }: Pick<Writer, 'refused'>): readonly string[] {
  const counts = new Map<string, number>()
  for (const { hasRetryAfter, status } of refused) {
    if (status === 503 && hasRetryAfter) continue
    const what = status === 503 ? '503 without Retry-After' : String(status)
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts].map(([what, count]) => `${count} writes were answered ${what}.`)
}
