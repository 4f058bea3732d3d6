import type { ClientOptions, UserKey } from '@burgee/sdk'
import type { UserValues, ValuesAttributes } from './user-values.ts'

export interface ValuesClientOptions extends Pick<ClientOptions, 'url' | 'sdkKey' | 'fetch'> {
  /**
   * Keeps the last values outside of the page, for a start while the server is unavailable. It keeps those of
   * one user, and they are read for the same user and key alone.
   */
  readonly cache?: ClientOptions['cache']
}

/**
 * The values that the server has evaluated, by OFREP. No rule leaves the server, and nothing is reported.
 */
export interface ValuesClient {
  /**
   * Returns the values of one user, requests them at once, and follows their changes until it is closed. Call
   * it once a page, and `setUser` for another user.
   */
  forUser(userKey: UserKey, attributes?: ValuesAttributes): UserValues
}
