import { type Client, type ClientOptions, createClient } from '@burgee/sdk'
import type { ErrorCode } from '@openfeature/core'

type EventFields = {
  readonly flagsChanged?: string[]
  readonly message?: string
  readonly errorCode?: ErrorCode
}

/** The events and errors of the OpenFeature SDK that the program uses. */
interface Sdk<Event> {
  readonly ProviderEvents: Readonly<Record<'Ready' | 'ConfigurationChanged' | 'Stale' | 'Error', Event>>
  readonly ErrorCode: { readonly PROVIDER_FATAL: ErrorCode }
  readonly ProviderFatalError: new (message: string) => Error
}

/** Emits an event of the provider. */
type Emit<Event> = (event: Event, fields?: EventFields) => void

export interface ConnectionOptions {
  /** The time in milliseconds that `initialize` waits for the flags. Default 5,000. */
  readonly initializeTimeoutMs?: number
}

/** The client of a provider, from `initialize` to `onClose`. */
export interface Connection {
  readonly client: Client
  /**
   * Rejects when the flags did not arrive, with the fatal error when the SDK key was refused. Otherwise the
   * client goes on, and `Ready` follows when they do.
   */
  open(): Promise<void>
  close(): Promise<void>
}

const INITIALIZE_TIMEOUT_MS = 5_000

/** Connects a client, or one that it creates from options and closes itself. */
export function createConnection<Event>(
  given: Client | ClientOptions,
  sdk: Sdk<Event> & { readonly emit: Emit<Event> },
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
      const events = listenTo(client, sdk)
      stop = events.stop
      try {
        if (!client.status.isReady) await client.connect({ timeoutMs: initializeTimeoutMs })
      } catch (error) {
        throw isRefused(error) ? new sdk.ProviderFatalError(String(error)) : error
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

function listenTo<Event>(
  client: Client,
  { emit, ErrorCode, ProviderEvents }: Sdk<Event> & { readonly emit: Emit<Event> },
) {
  let hasBegun = false
  const { PROVIDER_FATAL: errorCode } = ErrorCode
  const stops = [
    client.on('ready', () => hasBegun && emit(ProviderEvents.Ready)),
    client.on('update', ({ flagKeys }) => {
      if (hasBegun) emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...flagKeys] })
    }),
    client.on('stale', () => hasBegun && emit(ProviderEvents.Stale)),
    client.on('error', (error) => {
      // The SDK key was refused while the provider was in use.
      if (hasBegun && isRefused(error)) emit(ProviderEvents.Error, { message: error.message, errorCode })
    }),
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
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error.status === 401 || error.status === 403)
