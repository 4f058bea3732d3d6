import type { FlagSet } from '@burgee/evaluation'
import type { WireFlag } from './wire-flag.ts'

/**
 * The compiled flags of one environment as its streams have delivered them. It is patched by each change, so
 * `flags` and `revision` always belong together within one turn of the event loop.
 */
export interface EvaluationSet {
  readonly environment_id: string
  readonly project_id: string
  readonly revision: number
  readonly flags: Pick<FlagSet, 'evaluate' | 'get' | 'has' | 'resolve' | 'size' | 'steps'>
  /** The keys of the flags in code unit order; for client keys without those that are hidden from them. */
  keys(audience: 'server' | 'client'): readonly string[]
  /** Returns the flag unless it is unknown or hidden from the audience. */
  flag(key: string, audience: 'server' | 'client'): WireFlag | undefined
}

/** The environments that this instance evaluates from memory, each compiled on first use. */
export interface EvaluationSets {
  /** Returns the set of an environment; null when it does not exist. */
  get(environment_id: string): Promise<EvaluationSet | null>
  /** Returns the set if it is already compiled. */
  peek(environment_id: string): EvaluationSet | undefined
  /**
   * Resolves when this instance has reached the revision, and otherwise after a bounded time. It resolves at
   * once when too many wait.
   */
  whenReached(set: EvaluationSet, revision: number): Promise<void>
}
