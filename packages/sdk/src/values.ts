import { hostPlatform } from './platform.ts'
import { createRequest, requireAddress } from './request.ts'
import { createUserValues } from './values/create-user-values.ts'
import type { ValuesClient, ValuesClientOptions } from './values/values-client.ts'

export type { UserValues, UserValuesEvents, ValuesAttributes } from './values/user-values.ts'
export type { ValuesClient, ValuesClientOptions } from './values/values-client.ts'

/**
 * Creates a client for values that the server evaluates. It does nothing until `forUser()` is called.
 * @throws TypeError without `url` or `sdkKey`.
 */
export function createClient({ url, sdkKey, fetch, cache }: ValuesClientOptions): ValuesClient {
  requireAddress(url, sdkKey)
  const platform = hostPlatform()
  const request = createRequest(url, sdkKey.trim(), fetch ?? platform.fetch)
  return {
    forUser: (userKey, attributes) =>
      createUserValues({ ...platform, request }, cache, sdkKey, userKey, attributes),
  }
}
