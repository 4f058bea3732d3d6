import type { JsonValue } from '@burgee/evaluation'
import type { Client, ClientEvents, ClientStatus, MaybeAttributes, UserKey } from './client.ts'
import { type ClientError, isRefusal } from './client-error.ts'
import type { ClientOptions } from './client-options.ts'
import { createEvaluator } from './evaluator.ts'
import { createFlagStore } from './flag-store.ts'
import { createListeners } from './listeners.ts'
import type { Platform } from './platform.ts'
import { createReporter } from './reporting/reporter.ts'
import { createRequest } from './request.ts'
import { createConnection } from './stream/connection.ts'

const MAX_RECONNECT_FAILURES = 3
/** As long as a timer can take: 24 days. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** The same as `createClient`, on a platform of the caller's. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createClientOn(platform: Platform, options: ClientOptions): Client {
  const { url, sdkKey, offline, bootstrap = [], maxReconnectFailures = MAX_RECONNECT_FAILURES } = options
  if (!offline && !(url && sdkKey)) throw new TypeError('createClient needs a url and an sdkKey')

  let lastError: ClientError | null = null
  let isReady = false
  let closing: Promise<void> | null = null
  /** Settles each `connect()` that waits. */
  const settles: ((error?: ClientError) => void)[] = []

  const { on, emit } = createListeners<ClientEvents>()
  const store = createFlagStore(bootstrap)
  const request = createRequest(url, sdkKey, options.fetch ?? platform.fetch)
  const reporter = createReporter({
    platform,
    request,
    options,
    environmentId: () => connection.environmentId,
    onError,
  })
  const { evaluate, isEnabled, allFlags } = createEvaluator(store, reporter.record, options)
  const connection = createConnection(platform, request, store, maxReconnectFailures, {
    onReady,
    onUpdate,
    onStale: () => emit('stale', undefined),
    onError,
  })

  function onReady(flagKeys: readonly string[], isSnapshot: boolean): void {
    if (isReady && isSnapshot) {
      onUpdate(flagKeys)
      return
    }
    const isFirst = !isReady && bootstrap.length === 0
    isReady = true
    lastError = null
    settle()
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
    if (isRefusal(error)) settle(error)
    emit('error', error)
  }

  function settle(error?: ClientError): void {
    for (const each of settles.splice(0)) each(error)
  }

  /** Resolves with the next `ready`. Meanwhile a Node program does not end for having nothing else to do. */
  async function connect(timeoutMs = LONGEST_TIMEOUT_MS): Promise<void> {
    if (closing !== null) throw new Error(CLOSED)
    if (!offline) connection.dispatch('start', undefined)
    else if (!isReady) onReady([], false)
    if (isReady) return
    if (connection.context.state === 'unauthorized') throw lastError
    return new Promise((resolve, reject) => {
      const cancelTimer = platform.clock.setTimer(
        () => onSettle(new Error(`no flags within ${timeoutMs} ms`)),
        Math.min(timeoutMs, LONGEST_TIMEOUT_MS),
        true,
      )
      function onSettle(error?: ClientError): void {
        cancelTimer()
        if (error) reject(error)
        else resolve()
      }
      settles.push(onSettle)
    })
  }

  return {
    isEnabled,
    // The type is the caller's promise (see `Client`).
    getVariant: (flagKey: string, userKey: UserKey, attributes?: MaybeAttributes, fallback?: JsonValue) =>
      evaluate(flagKey, userKey, attributes, fallback).value as never,
    evaluate,
    allFlags,
    track: reporter.track,
    connect({ timeoutMs } = {}) {
      const connected = connect(timeoutMs)
      // Whoever does not wait for it is told by the `error` event; Node need not stop for it.
      connected.catch(() => {})
      return connected
    },
    on,
    get status(): ClientStatus {
      const { context, environmentId, isPolling } = connection
      return {
        state: offline ? 'offline' : context.state,
        isReady,
        isPolling: isPolling(),
        environmentId,
        flagCount: store.current.size,
        lastError,
        ...reporter.counts,
      }
    },
    flush: reporter.flush,
    close() {
      if (closing !== null) return closing
      closing = reporter.close()
      connection.dispatch('close', undefined)
      settle(new Error(CLOSED))
      return closing
    },
  }
}

const CLOSED = 'the client is closed'
