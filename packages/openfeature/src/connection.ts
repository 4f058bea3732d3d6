import { type Client, type ClientOptions, createClient } from '@burgee/sdk'

/** Receives what happens to a provider after `initialize`. */
interface ProviderListener {
  onReady(): void
  onChanged(flagKeys: readonly string[]): void
  onStale(): void
  /** The SDK key was refused while the provider was in use. */
  onFatal(message: string): void
}

export interface ConnectionOptions {
  /** The time in milliseconds that `initialize` waits for the flags. Default 5,000. */
  readonly initializeTimeoutMs?: number
}

/** The client of a provider, from `initialize` to `onClose`. */
export interface Connection {
  readonly client: Client
  /** Rejects when the flags did not arrive. The client goes on, and `onReady` follows when they do. */
  open(): Promise<void>
  close(): Promise<void>
}

const INITIALIZE_TIMEOUT_MS = 5_000

/** Connects a client, or one that it creates from options and closes itself. */
export function createConnection(
  given: Client | ClientOptions,
  listener: ProviderListener,
  { initializeTimeoutMs = INITIALIZE_TIMEOUT_MS }: ConnectionOptions,
): Connection {
  let client = isClient(given) ? given : createClient(given)
  let stop = () => {}

  return {
    get client() {
      return client
    },
    async open() {
      if (!isClient(given) && client.status.state === 'closed') client = createClient(given)
      stop()
      // OpenFeature itself emits what `initialize` leads to, so events count from its end.
      const events = listenTo(client, listener)
      stop = events.stop
      try {
        if (!client.status.isReady) await client.connect({ timeoutMs: initializeTimeoutMs })
      } finally {
        events.begin()
      }
    },
    async close() {
      stop()
      if (!isClient(given)) await client.close()
    },
  }
}

function listenTo(client: Client, listener: ProviderListener) {
  let hasBegun = false
  const stops = [
    client.on('ready', () => hasBegun && listener.onReady()),
    client.on('update', ({ flagKeys }) => hasBegun && listener.onChanged(flagKeys)),
    client.on('stale', () => hasBegun && listener.onStale()),
    client.on('error', (error) => hasBegun && isRefused(error) && listener.onFatal(error.message)),
  ]
  return {
    begin() {
      hasBegun = true
    },
    stop() {
      for (const end of stops) end()
    },
  }
}

const isClient = (given: Client | ClientOptions): given is Client => 'evaluate' in given

/** Returns whether the server refused the SDK key. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error.status === 401 || error.status === 403)
