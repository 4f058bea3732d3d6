import type { Attributes, Evaluation, JsonValue } from '@burgee/evaluation'

export interface ClientOptions {
  /** The server's base address, such as `https://flags.example.com`. */
  readonly url: string
  /** Decides project and environment. In a browser use a key of the kind `client`. */
  readonly sdkKey: string
  /** Another `fetch` than the global one. */
  readonly fetch?: typeof fetch
  /** Sends attributes along with impressions. They leave the process in no other way. Default false. */
  readonly sendEvaluationContext?: boolean
  /** Connection attempts that fail in a row until snapshots are polled beside further attempts. Default 3. */
  readonly maxReconnectFailures?: number
  /** Flags to evaluate until the first bootstrap is complete, as the snapshot endpoint gives them. */
  readonly bootstrap?: readonly unknown[]
  /** Never touches the network: evaluates `bootstrap` and `overrides`, reports nothing. Default false. */
  readonly offline?: boolean
  /** Values by flag key that beat everything else. They are not reported. */
  readonly overrides?: Readonly<Record<string, JsonValue>>
  /** Called after each evaluation that was asked for. What it throws is ignored. */
  readonly onEvaluation?: (event: EvaluationEvent) => void
  /** Which evaluations are reported as impressions. Default `all`. */
  readonly impressions?: 'all' | 'off'
  /** For this long, in milliseconds, a user's evaluations of a flag with the same value are reported once. Default 0: all are. */
  readonly impressionWindowMs?: number
  /** How long reports may wait, in milliseconds. Default 5,000. */
  readonly flushIntervalMs?: number
  /** How many impressions, and how many goal events, may wait to be sent; more are dropped. Default 10,000. */
  readonly maxQueueSize?: number
}

export interface EvaluationEvent {
  readonly flagKey: string
  readonly userKey: string | null | undefined
  readonly attributes: Attributes | null | undefined
  /** What the caller got; a fallback has taken the place of a missing value. */
  readonly evaluation: Evaluation
}
