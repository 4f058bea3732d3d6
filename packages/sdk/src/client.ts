import type { Attributes, Evaluation, JsonValue } from '@burgee/evaluation'
import type { ClientError } from './client-error.ts'
import type { GoalDetail } from './reporting/goal-detail.ts'
import type { ReportCount } from './reporting/report-queue.ts'
import type { ConnectionState } from './stream/connection-machine.ts'

/** The stable identifier that rollouts and variants hash. Null and absent: nobody in particular. */
export type UserKey = string | null | undefined
export type MaybeAttributes = Attributes | null | undefined

/**
 * Evaluates flags on a local copy. The four evaluating calls are synchronous, never touch the network and never throw,
 * whatever they are given.
 */
export interface Client {
  /** For boolean flags whether the value is true, for others whether the flag is enabled. False for an unknown flag. */
  isEnabled(flagKey: string, userKey: UserKey, attributes?: MaybeAttributes): boolean
  /** The flag's value, or `fallback` (else null) where the flag is unknown or has no value to give. */
  getVariant(flagKey: string, userKey: UserKey, attributes?: MaybeAttributes): JsonValue
  getVariant<Fallback>(
    flagKey: string,
    userKey: UserKey,
    attributes: MaybeAttributes,
    fallback: Fallback,
  ): Widened<Fallback>
  /** The same with the reason. Do not change the result: it may be shared. */
  evaluate(flagKey: string, userKey: UserKey, attributes?: MaybeAttributes, fallback?: JsonValue): Evaluation
  /** The values of all flags, by flag key. Not reported as impressions. */
  allFlags(userKey: UserKey, attributes?: MaybeAttributes): Record<string, JsonValue>
  /** Reports that a user reached a goal, for experiments. */
  track(eventKey: string, userKey: UserKey, detail?: GoalDetail): void

  /**
   * Opens the stream; from then on the client keeps itself connected. Resolves when all flags are there.
   *
   * @throws ClientError 401 or 403 when the key is refused, or when `timeoutMs` is over. The client goes on trying.
   */
  connect(options?: ConnectOptions): Promise<void>
  /** @returns Ends the subscription. */
  on<Event extends keyof ClientEvents>(event: Event, listener: Listener<Event>): () => void
  readonly status: ClientStatus
  /** Sends what was recorded. Resolves when the server has it or an attempt failed; never rejects. */
  flush(): Promise<void>
  /** Ends the connection and sends what was recorded, trying for 3 s. Evaluations go on with the last flags. */
  close(): Promise<void>
}

export interface ConnectOptions {
  /** How long to wait for the flags, in milliseconds. Default: as long as it takes. */
  readonly timeoutMs?: number
}

export interface ClientEvents {
  /** All flags are there: after each bootstrap, and after the first snapshot. */
  ready: undefined
  /** Flags that changed, or may have, by their keys. */
  update: { readonly flagKeys: readonly string[] }
  /** The stream was lost: flags may be out of date until `ready`. */
  stale: undefined
  /** Something failed. The client goes on by itself. */
  error: ClientError
}
/** What it throws is ignored. */
export type Listener<Event extends keyof ClientEvents> = (event: ClientEvents[Event]) => void

export interface ClientStatus {
  readonly state: ConnectionState | 'offline'
  /** Whether a complete set of flags has been there at least once. */
  readonly isReady: boolean
  /** Whether snapshots are polled because the stream fails. */
  readonly isPolling: boolean
  readonly environmentId: string | null
  readonly flagCount: number
  /** The latest failure; null while the stream is up. */
  readonly lastError: ClientError | null
  readonly impressions: ReportCount
  readonly goals: ReportCount
}

/** A fallback `'blue'` promises a string, not just 'blue'. What flags give is not checked against it. */
export type Widened<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value
