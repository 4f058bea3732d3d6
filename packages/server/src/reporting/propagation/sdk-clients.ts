import { CLIENTS_MAX } from '@burgee/contract'
import type { CommittedAt, FlagChange } from '../../changes/index.ts'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import { isUuid } from '../../kernel/is-uuid.ts'
import type { Clock } from '../../platform/clock.ts'
import { parseClientHeader } from './client-header.ts'
import {
  countLatency,
  createEnvironmentClients,
  type EnvironmentClients,
  isForgettable,
  keepNewest,
} from './environment-clients.ts'
import type { DueClients, ForeignAck, SdkClient } from './sdk-client.ts'
import { spreadOf } from './spread.ts'

type Header = string | readonly string[] | undefined
type Applied = readonly (readonly [revision: number, heldMs: number])[]

/** The clients on this server that confirm what they have applied. All of it is in memory, and bounded. */
export interface SdkClients {
  /**
   * Registers the stream of a client. Returns the header that asks it to confirm, and what to call at the end
   * of the stream; null for a client that cannot.
   */
  open(actor: SdkKeyActor, header: Header, revision: number): { ack: string; close: () => void } | null
  /** Registers the poll of a client. Returns the header that asks it to confirm; null for one that cannot. */
  poll(actor: SdkKeyActor, header: Header, revision: number): string | null
  /** Receives a confirmation. Returns the header of the response; null for a key that cannot confirm. */
  acknowledge(actor: SdkKeyActor, client_id: string | undefined, applied: Applied): string | null
  /** Counts a stream of an SDK key, whether its client confirms or not. */
  streamOpened(environment_id: string): void
  streamClosed(environment_id: string): void
  /** Receives the changes of an environment. */
  changed(
    environment_id: string,
    changes: readonly (FlagChange & { readonly revision: number })[],
    committed: CommittedAt,
  ): void
  /** Receives the number of clients of an environment on other servers. */
  counted(environment_id: string, elsewhere: number): void
  environments(): Iterable<string>
  /** Counts a confirmation that another part has measured. */
  record(environment_id: string, revision: number, ms: number): void
  /**
   * Returns what has to be stored, once: what has changed, with `heartbeat` the report of each environment as
   * well, with `everything` all that there is.
   */
  takeDue(options: Due): DueClients
}

interface Due {
  readonly heartbeat?: boolean
  readonly everything?: boolean
}

interface Deps {
  readonly clock: Clock
  /** Called with each measured latency, in milliseconds. */
  readonly onLatency: (ms: number) => void
}

/** The clients of all environments on one server, and confirmations that wait to be stored. */
const SERVER_CLIENTS_MAX = 200_000
const FOREIGN_MAX = 10_000
/** The time after its last poll for which a client counts. */
const POLLER_MS = 60_000

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createSdkClients({ clock, onLatency }: Deps): SdkClients {
  const environments = new Map<string, EnvironmentClients>()
  let foreign = new Map<string, ForeignAck>()
  let clientCount = 0

  function stateOf(environment_id: string): EnvironmentClients {
    const known = environments.get(environment_id)
    if (known) return known
    const state = createEnvironmentClients()
    environments.set(environment_id, state)
    return state
  }

  const headerOf = (environment_id: string, revision?: number): string => {
    const { clients, elsewhere = 0 } = environments.get(environment_id) ?? {}
    const spread = spreadOf((clients?.size ?? 0) + elsewhere)
    return revision === undefined ? String(spread) : `${spread};revision=${revision}`
  }

  /** Finds or registers the client of a request; null where the bounds or another key forbid it. */
  function enter(actor: SdkKeyActor, header: Header): [EnvironmentClients, SdkClient] | null {
    if (actor.key_kind === 'client') return null
    const description = header === undefined ? null : parseClientHeader(header)
    if (!description) return null
    const state = stateOf(actor.environment_id)
    const known = state.clients.get(description.client_id)
    // An id belongs to the key that brought it.
    if (known) return known.key_id === actor.key_id ? [state, known] : null
    if (state.clients.size + state.elsewhere >= CLIENTS_MAX || clientCount >= SERVER_CLIENTS_MAX) return null
    const now = clock.now().getTime()
    const nowMs = clock.monotonicMs()
    const times = { connectedAt: now, seenAt: now, connectedMs: nowMs, seenMs: nowMs }
    const client = { ...description, key_id: actor.key_id, streams: 0, revision: -1, ...times }
    state.clients.set(client.client_id, client)
    state.gone.delete(client.client_id)
    clientCount += 1
    return [state, client]
  }

  function see(state: EnvironmentClients, client: SdkClient): void {
    client.seenMs = clock.monotonicMs()
    client.seenAt = clock.now().getTime()
    state.dirty.add(client.client_id)
  }

  function remove(state: EnvironmentClients, { client_id }: SdkClient): void {
    if (!state.clients.delete(client_id)) return
    clientCount -= 1
    state.dirty.delete(client_id)
    state.gone.add(client_id)
  }

  function confirm(state: EnvironmentClients, client: SdkClient, applied: Applied): void {
    const nowMs = clock.monotonicMs()
    for (const [revision, heldMs] of applied) {
      // Nothing newer than what the server has sent can have been applied.
      if (revision <= client.revision || revision > state.newest) continue
      client.revision = revision
      const committedMs = state.commits.get(revision)
      // A client that connected later got the revision with everything else.
      if (committedMs === undefined || committedMs < client.connectedMs) continue
      const ms = Math.max(0, nowMs - heldMs - committedMs)
      countLatency(state, revision, ms)
      onLatency(ms)
    }
    see(state, client)
  }

  /** Keeps the newest confirmation of a client of another server until it is stored. */
  function confirmElsewhere(
    { environment_id, key_id }: SdkKeyActor,
    client_id: string,
    applied: Applied,
  ): void {
    const [revision, heldMs] = applied.at(-1) ?? []
    if (revision === undefined || heldMs === undefined || foreign.size >= FOREIGN_MAX) return
    stateOf(environment_id)
    const appliedAtMs = clock.now().getTime() - heldMs
    foreign.set(`${environment_id} ${client_id}`, {
      environment_id,
      client_id,
      key_id,
      revision,
      appliedAtMs,
    })
  }

  function expirePollers(state: EnvironmentClients): void {
    const before = clock.monotonicMs() - POLLER_MS
    for (const client of state.clients.values()) {
      if (client.streams === 0 && client.seenMs < before) remove(state, client)
    }
  }

  return {
    open(actor, header, revision) {
      const entered = enter(actor, header)
      if (!entered) return null
      const [state, client] = entered
      state.newest = Math.max(state.newest, revision)
      client.streams += 1
      state.confirming += 1
      state.isServerDue = true
      see(state, client)
      let isOpen = true
      const close = () => {
        if (!isOpen) return
        isOpen = false
        client.streams -= 1
        state.confirming -= 1
        state.isServerDue = true
        if (client.streams === 0) remove(state, client)
      }
      return { ack: headerOf(actor.environment_id, revision), close }
    },
    poll(actor, header, revision) {
      const entered = enter(actor, header)
      if (!entered) return null
      const [state, client] = entered
      state.newest = Math.max(state.newest, revision)
      see(state, client)
      return headerOf(actor.environment_id, revision)
    },
    acknowledge(actor, client_id, applied) {
      if (actor.key_kind === 'client') return null
      const state = environments.get(actor.environment_id)
      const client = client_id === undefined ? undefined : state?.clients.get(client_id.toLowerCase())
      if (state && client) {
        if (client.key_id === actor.key_id) confirm(state, client, inOrder(applied))
      } else if (client_id !== undefined && isUuid(client_id)) {
        confirmElsewhere(actor, client_id.toLowerCase(), inOrder(applied))
      }
      return headerOf(actor.environment_id)
    },
    streamOpened(environment_id) {
      const state = stateOf(environment_id)
      state.streams += 1
      state.isServerDue = true
    },
    streamClosed(environment_id) {
      const state = stateOf(environment_id)
      state.streams -= 1
      state.isServerDue = true
    },
    changed(environment_id, changes, { loggedAtMs }) {
      const state = environments.get(environment_id)
      if (!state) return
      for (const { kind, revision } of changes) {
        state.newest = Math.max(state.newest, revision)
        if (kind !== 'none') state.commits.set(revision, loggedAtMs)
      }
      keepNewest(state.commits)
    },
    counted(environment_id, elsewhere) {
      const state = environments.get(environment_id)
      if (state) state.elsewhere = elsewhere
    },
    environments: () => environments.keys(),
    record(environment_id, revision, ms) {
      countLatency(stateOf(environment_id), revision, ms)
      onLatency(ms)
    },
    takeDue(options) {
      const due = {
        servers: [],
        clients: [],
        gone: [],
        counts: [],
        foreign: [...foreign.values()],
      } as Mutable
      foreign = new Map()
      for (const [environment_id, state] of environments) {
        expirePollers(state)
        takeFrom(environment_id, state, { ...options, due })
        if (isForgettable(state)) environments.delete(environment_id)
      }
      return due
    },
  }
}

const inOrder = (applied: Applied): Applied => applied.toSorted(([left], [right]) => left - right)

type Mutable = { -readonly [Field in keyof DueClients]: DueClients[Field][number][] }

/** Moves what has to be stored of one environment. */
function takeFrom(
  environment_id: string,
  state: EnvironmentClients,
  { due, everything, heartbeat }: Due & { readonly due: Mutable },
): void {
  if (everything) {
    for (const client_id of state.clients.keys()) state.dirty.add(client_id)
    for (const revision of state.counts.keys()) state.dirtyCounts.add(revision)
  }
  if (heartbeat || state.isServerDue || state.dirty.size > 0) {
    due.servers.push({ environment_id, unconfirmable: Math.max(0, state.streams - state.confirming) })
  }
  for (const client_id of state.dirty) {
    const client = state.clients.get(client_id)
    if (client) due.clients.push({ environment_id, client: { ...client } })
  }
  for (const client_id of state.gone) due.gone.push({ environment_id, client_id })
  for (const revision of state.dirtyCounts) {
    const counts = state.counts.get(revision)
    if (counts) due.counts.push({ environment_id, revision, counts: [...counts] })
  }
  state.isServerDue = false
  state.dirty.clear()
  state.gone.clear()
  state.dirtyCounts.clear()
}
