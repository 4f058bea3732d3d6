// By its name, so that the published entry shares `Flags` with the one of the package.
import type { ClientError, FallbackOf, FlagKey, Listener, UserKey, ValueOf, VariantOf } from '@burgee/sdk'

/** The attributes of a user. The server evaluates with them; fields of nested objects are attributes, too. */
export type ValuesAttributes = Readonly<Record<string, unknown>> | null | undefined

/** The values of one user. The reading calls are synchronous and never throw. */
export interface UserValues {
  readonly userKey: UserKey
  readonly attributes: ValuesAttributes
  /**
   * Returns whether a boolean flag is true, and whether any other flag is enabled. False for an unknown flag,
   * and until values have arrived.
   */
  isEnabled(flagKey: FlagKey): boolean
  /** Returns the flag's value, or `fallback` (or else null) when the flag is unknown or has no value. */
  getVariant<Key extends FlagKey>(flagKey: Key): ValueOf<Key> | null
  getVariant<Key extends FlagKey, Fallback extends FallbackOf<Key>>(
    flagKey: Key,
    fallback: Fallback,
  ): VariantOf<Key, Fallback>
  /**
   * Resolves when the values of the user have arrived, or those of the cache where the server is unavailable.
   * @throws ClientError 401 or 403 when the key is rejected, or when `timeoutMs` has passed. Values may still
   *   arrive.
   */
  ready(options?: { readonly timeoutMs?: number }): Promise<void>
  /**
   * Calls back when values have arrived or changed, with their keys, or when a request or the stream has
   * failed. Errors that it throws are ignored.
   * @returns A function that ends the subscription.
   */
  on<Event extends keyof UserValuesEvents>(
    event: Event,
    listener: (payload: UserValuesEvents[Event]) => void,
  ): () => void
  /** Changes the user. Nothing is known of a new user until values have arrived. */
  setUser(userKey: UserKey, attributes?: ValuesAttributes): void
  /** Ends the connection. The values can still be read. */
  close(): void
}

export interface UserValuesEvents {
  update: Parameters<Listener<'update'>>[0]
  /** A failure. The values recover by themselves. */
  error: ClientError
}
