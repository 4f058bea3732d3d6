import type { Evaluation, JsonValue } from '@burgee/evaluation'
import type { FallbackOf, FlagKey, ValueOf, VariantOf } from './flags.ts'
import type { GoalDetail } from './reporting/goal-detail.ts'
import type { MaybeAttributes, UserKey } from './user.ts'

/**
 * The flags of one user. Results stay the same objects until flags or the user change, and a result that did
 * not change is reported once. None of the reading calls throws or uses the network.
 */
export interface UserFlags {
  readonly userKey: UserKey
  readonly attributes: MaybeAttributes
  /** Returns whether a boolean flag is true, and whether any other flag is enabled. */
  isEnabled(flagKey: FlagKey): boolean
  /** Returns the flag's value, or `fallback` (or else null) when the flag is unknown or has no value. */
  getVariant<Key extends FlagKey>(flagKey: Key): ValueOf<Key> | null
  getVariant<Key extends FlagKey, Fallback extends FallbackOf<Key>>(
    flagKey: Key,
    fallback: Fallback,
  ): VariantOf<Key, Fallback>
  /** Returns the value with its reason and the name of its variant. */
  evaluate(flagKey: string, fallback?: JsonValue): Evaluation
  /** Returns the values of all flags by flag key, frozen. They are not reported. */
  all(): Readonly<Record<string, JsonValue>>
  /** Returns the results of all flags by flag key, for tools that show them. They are not reported. */
  inspect(): Readonly<Record<string, Evaluation>>
  /**
   * Calls back when results of this user have changed, with their keys: flags that were read here and have
   * another result now, and changed flags that were not read yet.
   * @returns A function that ends the subscription.
   */
  on(event: 'update', listener: (update: { readonly flagKeys: readonly string[] }) => void): () => void
  /** Changes the user. The initial values no longer apply, unless the user is the same. */
  setUser(userKey: UserKey, attributes?: MaybeAttributes): void
  /**
   * Returns the values for a page, without any rules. In the browser, give them to `forUser` as `initial`.
   * @param flagKeys The flags of the page. Default: all. Readers of the page see their keys and values.
   */
  dehydrate(flagKeys?: readonly string[]): DehydratedFlags
  /** Reports that this user reached a goal (see `Client`). */
  track(eventKey: string, detail?: GoalDetail): void
  /** Ends all subscriptions. The flags can still be read. */
  close(): void
}

/** Values of flags for one user, as JSON. */
export interface DehydratedFlags {
  readonly values: Readonly<Record<string, JsonValue>>
  /** The revision of the environment; 0 without flags. */
  readonly revision: number
  /** The results of `isEnabled` that do not follow from the value. Usually absent. */
  readonly enabled?: Readonly<Record<string, boolean>>
}

export interface UserFlagsOptions {
  /** The responses until the first flags have arrived: what `dehydrate()` returned on the server. */
  readonly initial?: DehydratedFlags | null | undefined
}
