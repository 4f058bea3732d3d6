import type { Propagation } from '@burgee/contract'
import { countOf } from '../../shared/ui/count-of.ts'

type Counted = Pick<Propagation, 'revision' | 'clients' | 'latency_ms'>

/** Returns whether every stream of the environment is known to have the revision, or there is none. */
const isEverywhere = ({ clients }: Pick<Counted, 'clients'>): boolean =>
  clients.current === clients.total && clients.unconfirmable === 0

const COUNT_EVERY_MS = 500
const LATER_EVERY_MS = 2_000
/** As many counts as the first ten seconds have. */
const FREQUENT_COUNTS = 20

/**
 * Returns the time until the next count: half a second at first, and two seconds where clients stay away.
 * False where every client that confirms has confirmed: streams that cannot confirm never change a count.
 */
export function nextCountMs({ clients }: Pick<Counted, 'clients'>, counts: number): number | false {
  if (clients.current === clients.total) return false
  return counts < FREQUENT_COUNTS ? COUNT_EVERY_MS : LATER_EVERY_MS
}

/**
 * Describes whom a change has reached: "412 of 415 clients on revision 97 · p99 38 ms · 3 silent". Null where
 * no SDK is connected.
 */
export function describePropagation(counted: Counted, { isOff }: { readonly isOff: boolean }): string | null {
  const { clients, latency_ms, revision } = counted
  if (clients.total + clients.unconfirmable === 0) return null
  if (clients.total === 0) return `Sent to ${countOf(clients.unconfirmable, 'stream')} that cannot confirm`
  const share = `${format(clients.current)} of ${format(clients.total)}`
  const reached = isOff ? describeOff(counted, share) : `${share} clients on revision ${revision}`
  return [
    reached,
    latency_ms.p99 !== null && `p99 ${format(Math.ceil(latency_ms.p99))} ms`,
    clients.silent > 0 && `${format(clients.silent)} silent`,
    clients.unconfirmable > 0 && `${format(clients.unconfirmable)} cannot confirm`,
  ]
    .filter(Boolean)
    .join(' · ')
}

const describeOff = (counted: Counted, share: string): string =>
  isEverywhere(counted) ? 'Off everywhere' : `Off on ${share} clients`

const format = (value: number): string => value.toLocaleString('en')
