import type { Client, ClientEvents } from '../../../src/client.ts'
import type { ClientOptions } from '../../../src/client-options.ts'
import { createClientOn } from '../../../src/create-client-on.ts'
import type { FlagServer } from './flag-server.ts'
import { type TestPlatform, testPlatform } from './test-platform.ts'

export interface StartedClient {
  readonly client: Client
  readonly platform: TestPlatform
  /** The names of the events so far, in order. */
  readonly events: (keyof ClientEvents)[]
  readonly errors: (Error & { status?: number })[]
  readonly updates: (readonly string[])[]
}

/** A client of the server, not connected yet. */
export function clientOf(
  server: FlagServer,
  options: Partial<ClientOptions> = {},
  platform = testPlatform(),
): StartedClient {
  const client = createClientOn(platform, { url: server.url, sdkKey: 'sk_live_test', ...options })
  const started: StartedClient = { client, platform, events: [], errors: [], updates: [] }
  for (const name of ['ready', 'stale', 'update', 'error'] as const)
    client.on(name, () => started.events.push(name))
  client.on('error', (error) => started.errors.push(error))
  client.on('update', ({ flagKeys }) => started.updates.push(flagKeys))
  return started
}
