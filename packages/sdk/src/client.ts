import type { Evaluation, JsonValue } from '@burgee/evaluation'
import type { ClientError } from './client-error.ts'
import type { FallbackOf, FlagKey, ValueOf, VariantOf } from './flags.ts'
import type { GoalDetail } from './reporting/goal-detail.ts'
import type { ReportCount } from './reporting/report-queue.ts'
import type { ConnectionState } from './stream/connection-machine.ts'
import type { MaybeAttributes, UserKey } from './user.ts'
import type { UserFlags, UserFlagsOptions } from './user-flags.ts'

/**
 * Evaluates flags on a local copy. The four evaluating calls are synchronous, never use the network and never
 * throw, whatever their arguments are.
 */
export interface Client {
  /**
   * Returns, for boolean flags, whether the value is true, and for others whether the flag is enabled. False
   * for an unknown flag.
   */
  isEnabled(flagKey: FlagKey, userKey: UserKey, attributes?: MaybeAttributes): boolean
  /** Returns the flag's value, or `fallback` (or else null) when the flag is unknown or has no value. */
  getVariant<Key extends FlagKey>(
    flagKey: Key,
    userKey: UserKey,
    attributes?: MaybeAttributes,
  ): ValueOf<Key> | null
  getVariant<Key extends FlagKey, Fallback extends FallbackOf<Key>>(
    flagKey: Key,
    userKey: UserKey,
    attributes: MaybeAttributes,
    fallback: Fallback,
  ): VariantOf<Key, Fallback>
  /** Returns the value with its reason. Do not change the result: it may be shared. */
  evaluate(flagKey: string, userKey: UserKey, attributes?: MaybeAttributes, fallback?: JsonValue): Evaluation
  /** Returns the values of all flags by flag key. They are not reported as impressions. */
  allFlags(userKey: UserKey, attributes?: MaybeAttributes): Record<string, JsonValue>
  /** Returns the flags of one user: for a request, a page or a component. */
  forUser(userKey: UserKey, attributes?: MaybeAttributes, options?: UserFlagsOptions): UserFlags
  /** Returns the metadata of a flag; an empty object when it has none. */
  getMetadata(flagKey: string): Readonly<Record<string, string | number | boolean>>
  /** Sets further overrides beside the option `overrides`, in place of those of the last call. */
  setOverrides(overrides: Readonly<Record<string, JsonValue>>): void
  /**
   * Reports that a user reached a goal. The goal of an experiment has 1 to 100 letters (A-Z, a-z), digits,
   * underscores and hyphens. Other keys are counted, but no experiment can name them. In development, the
   * first such key causes a warning.
   */
  track(eventKey: string, userKey: UserKey, detail?: GoalDetail): void

  /**
   * Opens the stream and keeps the client connected from then on. Resolves when all flags have arrived.
   * @throws ClientError 401 or 403 when the key is rejected, or when `timeoutMs` has passed. The client keeps
   *   trying.
   */
  connect(options?: ConnectOptions): Promise<void>
  /**
   * Requests the flags now, unless a stream has them. Resolves when they have arrived or have not changed.
   * @throws ClientError when that failed or took 10 s. The last flags stay in use.
   */
  refresh(options?: RefreshOptions): Promise<void>
  /** @returns A function that ends the subscription. */
  on<Event extends keyof ClientEvents>(event: Event, listener: Listener<Event>): () => void
  readonly status: ClientStatus
  /**
   * Sends the pending reports. Resolves when the server has stored them, an attempt has failed or 30 s have
   * passed; never rejects.
   */
  flush(): Promise<void>
  /**
   * Closes the connection, sends the pending reports with retries, and saves the flags in the cache. Resolves
   * after 3 s at the latest. Evaluations continue with the last flags.
   */
  close(): Promise<void>
}

export interface ConnectOptions {
  /** The time in milliseconds to wait for the flags. Default: without a limit. */
  readonly timeoutMs?: number
}

export interface RefreshOptions {
  /** Does nothing while the last flags are younger than this, in milliseconds. Default 0. */
  readonly maxAgeMs?: number
}

export interface ClientEvents {
  /** All flags have arrived: after each bootstrap, and after the first snapshot. */
  ready: undefined
  /** Flags have changed, or may have: their keys. */
  update: { readonly flagKeys: readonly string[] }
  /** The stream was lost: flags may be out of date until `ready`. */
  stale: undefined
  /** A request or the stream has failed. The client recovers by itself. */
  error: ClientError
}
/** A listener. Errors that it throws are ignored. */
export type Listener<Event extends keyof ClientEvents> = (event: ClientEvents[Event]) => void

export interface ClientStatus {
  readonly state: ConnectionState | 'offline'
  /** True once a complete set of flags has arrived. */
  readonly isReady: boolean
  /** True while snapshots are polled because the stream fails. */
  readonly isPolling: boolean
  readonly environmentId: string | null
  readonly flagCount: number
  /** The revision of the latest change of a flag; 0 without flags. */
  readonly revision: number
  /** The latest failure; null while the stream is connected. */
  readonly lastError: ClientError | null
  readonly impressions: ReportCount
  readonly goals: ReportCount
}
