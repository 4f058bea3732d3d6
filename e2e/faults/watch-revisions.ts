import { get } from 'node:http'
import { onTestFinished } from 'vitest'
import { bearer } from '../harness/call-api.ts'
import { SDK_KEY } from '../harness/start-server.ts'
import type { AcknowledgedWrite } from '../harness/write-continuously.ts'

export interface RevisionWatch {
  /** The time of each revision's arrival, in order, on the clock of `performance.now()`. */
  readonly arrivals: readonly { readonly revision: number; readonly at: number }[]
  /** Returns whether the stream has ended. */
  hasEnded(): boolean
}

/** Reads a stream and records the time of each update. */
export function watchRevisions(url: string): RevisionWatch {
  const arrivals: { revision: number; at: number }[] = []
  let hasEnded = false
  const request = get(`${url}/stream`, { agent: false, headers: bearer(SDK_KEY) }, (response) => {
    let line = ''
    response.setEncoding('utf8')
    response.on('data', (text: string) => {
      const at = performance.now()
      const lines = (line + text).split('\n')
      line = lines.pop() ?? ''
      for (const one of lines)
        if (one.startsWith('id: ')) arrivals.push({ revision: Number(one.slice(4)), at })
    })
    response.on('close', () => {
      hasEnded = true
    })
  })
  request.on('error', () => {
    hasEnded = true
  })
  onTestFinished(() => void request.destroy())
  return { arrivals, hasEnded: () => hasEnded }
}

/**
 * Returns for each write the milliseconds from its response until the stream had it or a later one; Infinity
 * for never.
 */
export function delaysOf(
  writes: readonly AcknowledgedWrite[],
  { arrivals }: RevisionWatch,
): readonly number[] {
  const ordered = [...writes].sort((left, right) => left.revision - right.revision)
  let index = 0
  return ordered.map(({ answeredAt, revision }) => {
    while (index < arrivals.length && (arrivals[index]?.revision ?? 0) < revision) index += 1
    const arrival = arrivals[index]
    return arrival === undefined ? Number.POSITIVE_INFINITY : Math.max(0, arrival.at - answeredAt)
  })
}
