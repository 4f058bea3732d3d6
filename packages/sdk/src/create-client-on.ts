import type { JsonValue } from '@burgee/evaluation'
import type { Client, ClientEvents, ClientStatus, MaybeAttributes, UserKey } from './client.ts'
import type { ClientError } from './client-error.ts'
import type { ClientOptions } from './client-options.ts'
import { createEvaluator } from './evaluator.ts'
import { createFlagStore } from './flag-store.ts'
import { createListeners } from './listeners.ts'
import type { Platform } from './platform.ts'
import { createReporter } from './reporting/reporter.ts'
import { createRequest } from './request.ts'
import { createConnection } from './stream/connection.ts'
import { untilReady } from './until-ready.ts'

const MAX_RECONNECT_FAILURES = 3
const FLUSH_INTERVAL_MS = 5_000
const MAX_QUEUE_SIZE = 10_000

/** The same as `createClient`, on a platform of the caller's. */
export function createClientOn(platform: Platform, options: ClientOptions): Client {
  const { url, sdkKey, offline = false, bootstrap = [], overrides = {} } = options
  if (!offline && !(url && sdkKey)) throw new TypeError('createClient needs a url and an sdkKey')

  let environmentId: string | null = null
  let lastError: ClientError | null = null
  let isReady = false
  let closing: Promise<void> | null = null

  const { on, emit } = createListeners<ClientEvents & { closed: ClientError }>()
  const store = createFlagStore(bootstrap)
  const request = createRequest(url, sdkKey, platform.fetch)
  const reporter = createReporter({
    platform,
    request,
    flushIntervalMs: options.flushIntervalMs ?? FLUSH_INTERVAL_MS,
    maxQueueSize: options.maxQueueSize ?? MAX_QUEUE_SIZE,
    sendEvaluationContext: options.sendEvaluationContext ?? false,
    environmentId: () => environmentId,
    onError,
  })
  const recorder = { record: offline || options.impressions === 'off' ? null : reporter.record }
  const { evaluate, isEnabled, allFlags } = createEvaluator(store, recorder, overrides, options.onEvaluation)
  const maxFailures = options.maxReconnectFailures ?? MAX_RECONNECT_FAILURES
  const connection = createConnection(platform, request, store, maxFailures, {
    onEnvironment(id) {
      environmentId = id ?? environmentId
    },
    onReady,
    onSnapshot: (flagKeys) => (isReady ? onUpdate(flagKeys) : onReady(flagKeys)),
    onUpdate,
    onStale: () => emit('stale', undefined),
    onError,
  })

  function onReady(flagKeys: readonly string[]): void {
    const isFirst = !isReady && bootstrap.length === 0
    isReady = true
    lastError = null
    // Reports may have waited for the environment, or for the server.
    void reporter.flush()
    emit('ready', undefined)
    // To begin with there was nothing that could have changed.
    if (!isFirst) onUpdate(flagKeys)
  }

  function onUpdate(flagKeys: readonly string[]): void {
    if (flagKeys.length > 0) emit('update', { flagKeys })
  }

  function onError(error: ClientError): void {
    lastError = error
    emit('error', error)
  }

  function connect(timeoutMs?: number): Promise<void> {
    if (closing !== null) return Promise.reject(new Error('the client is closed'))
    if (!offline) connection.start()
    else if (!isReady) onReady([])
    if (isReady) return Promise.resolve()
    if (connection.state === 'unauthorized') return Promise.reject(lastError)
    return untilReady(on, platform.clock, timeoutMs)
  }

  async function close(): Promise<void> {
    connection.close()
    recorder.record = null
    emit('closed', new Error('the client is closed'))
    await reporter.close()
  }

  return {
    isEnabled,
    // The type is the caller's promise (see `Client`).
    getVariant: (flagKey: string, userKey: UserKey, attributes?: MaybeAttributes, fallback?: JsonValue) =>
      evaluate(flagKey, userKey, attributes, fallback).value as never,
    evaluate,
    allFlags,
    track(...goal) {
      if (!offline && closing === null) reporter.track(...goal)
    },
    connect({ timeoutMs } = {}) {
      const connected = connect(timeoutMs)
      // Whoever does not wait for it is told by the `error` event; Node need not stop for it.
      connected.catch(() => {})
      return connected
    },
    on,
    get status(): ClientStatus {
      return {
        state: offline ? 'offline' : connection.state,
        isReady,
        isPolling: connection.isPolling,
        environmentId,
        flagCount: store.current.size,
        lastError,
        impressions: reporter.impressions,
        goals: reporter.goals,
      }
    },
    flush: reporter.flush,
    close() {
      closing ??= close()
      return closing
    },
  }
}
