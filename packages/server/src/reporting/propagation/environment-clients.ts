import { PROPAGATION_REVISIONS_MAX } from '@burgee/contract'
import { LATENCY_STEPS, stepOf } from './latency-steps.ts'
import type { SdkClient } from './sdk-client.ts'

/** The clients of one environment on this server. */
export interface EnvironmentClients {
  readonly clients: Map<string, SdkClient>
  /** Open streams of SDK keys, and those of them whose client confirms. */
  streams: number
  confirming: number
  /** Clients that are connected to other servers, by the last look. */
  elsewhere: number
  /** The newest revision that this server has sent. */
  newest: number
  /** Commit times of the newest changes that SDKs see, by revision, on the monotonic clock. */
  readonly commits: Map<number, number>
  /** Confirmations of the newest revisions by step of latency. */
  readonly counts: Map<number, number[]>
  readonly dirty: Set<string>
  readonly gone: Set<string>
  readonly dirtyCounts: Set<number>
  isServerDue: boolean
}

/** Creates the state of an environment without clients. */
export const createEnvironmentClients = (): EnvironmentClients => ({
  clients: new Map(),
  streams: 0,
  confirming: 0,
  elsewhere: 0,
  newest: -1,
  commits: new Map(),
  counts: new Map(),
  dirty: new Set(),
  gone: new Set(),
  dirtyCounts: new Set(),
  isServerDue: true,
})

/** Counts a confirmation of a revision. */
export function countLatency(state: EnvironmentClients, revision: number, ms: number): void {
  const counts = state.counts.get(revision) ?? new Array<number>(LATENCY_STEPS).fill(0)
  const step = stepOf(ms)
  counts[step] = (counts[step] ?? 0) + 1
  state.counts.set(revision, counts)
  state.dirtyCounts.add(revision)
  keepNewest(state.counts)
}

/** Removes the oldest entries beyond the number of revisions that are kept. */
export function keepNewest(entries: Map<number, unknown>): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= PROPAGATION_REVISIONS_MAX) return
    entries.delete(oldest)
  }
}

/** Tests whether nothing of the environment is left to hold or store. */
export const isForgettable = (state: EnvironmentClients): boolean =>
  state.clients.size + state.streams + state.gone.size + state.dirtyCounts.size === 0
