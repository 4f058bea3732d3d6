import type { Client } from './client.ts'
import type { ClientOptions } from './client-options.ts'
import { createClientOn } from './create-client-on.ts'
import { hostPlatform } from './platform.ts'

/**
 * Creates a client for one environment. It does nothing until `connect()` is called.
 * @throws TypeError without `url` or `sdkKey`, unless it is offline.
 */
export const createClient = (options: ClientOptions): Client => createClientOn(hostPlatform(), options)
