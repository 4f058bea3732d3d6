import type { Addressed, Endpoint } from '@burgee/contract'
import type { Actor } from '../kernel/actor.ts'
import type { ProjectScope } from '../kernel/scope.ts'
import type { StoredPlaces } from './db/stored-text-queries.ts'
import type { EndpointHandlers } from './replies/endpoint-handler.ts'

export type PathParams = Readonly<Record<string, unknown>>

/** The place of a look-up. `scope` is null when the path names no project or environment. */
export interface Address {
  readonly scope: ProjectScope | null
  readonly params: PathParams
  readonly actor: Actor | null
}

/** The kinds of things that a path names below a project or an environment. */
export type LookupKind = Addressed
/** Returns whether there is such a thing for the caller. */
export type Lookup = (at: Address) => Promise<boolean>

/** Work without a request. */
export interface Worker {
  readonly name: string
  start(): void | Promise<void>
  /** Resolves when the current work is finished. */
  close(): Promise<void>
  /** True for one that is started once the server listens. */
  readonly waitsForListening?: boolean
  /** True for one whose `close` ends by itself: it is waited for however long the others took. */
  readonly endsByItself?: boolean
}

/** Rows that expire. */
export interface PruneRow {
  readonly name: string
  /** Removes at most `rows` of them, and returns their number. It is called again while that is `rows`. */
  remove(now: Date, rows: number): Promise<number>
}

/** Work that waits in the database. */
export interface QueueMeasure {
  readonly queue: string
  /** Counts it, up to `max`. */
  count(max: number): Promise<number>
}

/** A domain as `compose.ts` of its folder returns it. `app` merges them. */
export interface Domain<
  Parts,
  Endpoints extends Readonly<Record<string, Endpoint>>,
  Kinds extends LookupKind = never,
> {
  /** The parts that other domains and `app` use. */
  readonly parts: Parts
  readonly handlers: EndpointHandlers<Endpoints>
  readonly lookups: Readonly<Record<Kinds, Lookup>>
  /** The places of names and addresses, which a patch may repeat as they are stored. */
  readonly texts: StoredPlaces
  readonly workers: readonly Worker[]
  readonly prune: readonly PruneRow[]
  readonly measures: readonly QueueMeasure[]
  /** Stores what waits, after the last request. */
  close(): Promise<void>
}

/** A domain without what most of them do not have. */
export const EMPTY = {
  texts: {},
  workers: [],
  prune: [],
  measures: [],
  close: async () => {},
} as const

/** Makes a worker of a function that starts it. */
export function worker(
  name: string,
  start: () => Closable | Promise<Closable>,
  options: Pick<Worker, 'waitsForListening'> = {},
): Worker {
  let running: Closable | undefined
  return {
    ...options,
    name,
    async start() {
      running = await start()
    },
    async close() {
      await running?.close()
    },
  }
}

interface Closable {
  close(): void | Promise<void>
}

/** Returns the id of the environment that a path names; empty when it names none. */
export const environmentOf = ({ scope }: Address): string => scope?.environment?.id ?? ''
/**
 * Returns the id of the project that a path names, or whose environment it names; empty when it names none.
 */
export const projectOf = ({ scope }: Address): string => scope?.project_id ?? ''
