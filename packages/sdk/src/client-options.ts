import type { Attributes, Evaluation, JsonValue } from '@burgee/evaluation'

export interface ClientOptions {
  /** The server's base address, such as `https://flags.example.com`. */
  readonly url: string
  /**
   * The SDK key, which decides the project and the environment. In a browser, use a key of the kind `client`.
   */
  readonly sdkKey: string
  /** The name of the program, which the dashboard shows among the clients of the environment. */
  readonly appName?: string
  /** The name of this instance of the program, such as its host. */
  readonly instanceId?: string
  /** A replacement for the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Sends attributes along with impressions. Otherwise they never leave the process. Default false. */
  readonly sendEvaluationContext?: boolean
  /**
   * The way by which flags arrive. `stream`: changes within milliseconds. `poll`: snapshots in intervals, for
   * networks that break streams. `manual`: only with `connect()` and `refresh()`, and reports only with
   * `flush()`, for workers and lambdas: such a client has no timers. Default `stream`.
   */
  readonly connection?: 'stream' | 'poll' | 'manual'
  /** The time in milliseconds between two polls, 1,000 to 86,400,000. It varies by 10%. Default 30,000. */
  readonly pollIntervalMs?: number
  /** The flags come from here, and the network is never used: see `flagsFile` of `@burgee/sdk/node`. */
  readonly source?: FlagSource
  /**
   * The number of consecutive failed attempts after which snapshots are polled between further attempts.
   * Default 3.
   */
  readonly maxReconnectFailures?: number
  /**
   * Keeps the last flags outside of the program, for a start while the server is unavailable. `connect()`
   * then resolves with them when the first attempt fails. A `save` that does not end delays `close()` and
   * `refresh()` by 3 s, and further saves until it ends. See `fileCache` of `@burgee/sdk/node`.
   */
  readonly cache?: {
    /** Returns the text that was saved last; null when there is none. */
    load(): Promise<string | null>
    save(text: string): Promise<void>
  }
  /** Flags to evaluate until the first bootstrap is complete, in the format of the snapshot endpoint. */
  readonly bootstrap?: readonly unknown[]
  /** Never uses the network: evaluates `bootstrap` and `overrides`, and reports nothing. Default false. */
  readonly offline?: boolean
  /** Values by flag key that have priority over everything else. They are not reported. */
  readonly overrides?: Readonly<Record<string, JsonValue>>
  /**
   * The present keys of flags by the keys that the program uses, such as those from before an import. Results
   * are reported under the present keys.
   */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * Called after each evaluation that the program requests. `forUser` calls it once until the result
   * changes. Errors that it throws are ignored.
   */
  readonly onEvaluation?: (event: EvaluationEvent) => void
  /** The evaluations that are reported as impressions. Default `all`. */
  readonly impressions?: 'all' | 'off'
  /**
   * The time in milliseconds in which a user's evaluations of a flag with the same value are reported once.
   * Default 0: every evaluation is reported.
   */
  readonly impressionWindowMs?: number
  /** The longest time in milliseconds that reports wait. Default 5,000. */
  readonly flushIntervalMs?: number
  /**
   * The number of impressions, and of goal events, that may wait to be sent. Further ones are dropped.
   * Default 10,000.
   */
  readonly maxQueueSize?: number
}

/** A place from which flags come instead of a server. */
export interface FlagSource {
  /** Starts to deliver sets of flags. Returns a function that stops it. */
  open(listener: {
    /** Receives all flags, in the format of the snapshot endpoint. */
    onFlags(flags: readonly unknown[]): void
    onError(error: Error): void
  }): () => void
}

export interface EvaluationEvent {
  readonly flagKey: string
  readonly userKey: string | null | undefined
  readonly attributes: Attributes | null | undefined
  /** The result that the caller received. A fallback replaces a missing value. */
  readonly evaluation: Evaluation
  /** The environment of the SDK key; null before the first connection. */
  readonly environmentId: string | null
  /** The revision of the latest change of a flag; 0 without flags. */
  readonly revision: number
}
