import { createFlagSet, type EvaluatedFlag, type JsonValue } from '@burgee/evaluation'
import type { Client, ClientEvents, ClientStatus } from './client.ts'
import { type ClientError, isRefusal } from './client-error.ts'
import type { ClientOptions, FlagSource } from './client-options.ts'
import { createUserFlags } from './create-user-flags.ts'
import { createEvaluator } from './evaluator.ts'
import { createFlagCache } from './flag-cache.ts'
import { createFlagStore } from './flag-store.ts'
import { createListeners } from './listeners.ts'
import { LONGEST_TIMEOUT_MS, type Platform } from './platform.ts'
import { createReporter } from './reporting/reporter.ts'
import { createUnknownFlags } from './reporting/unknown-flags.ts'
import { createRequest, requireAddress, timed } from './request.ts'
import { createServerClock } from './server-clock.ts'
import { createAcks } from './stream/acks.ts'
import { createPollConnection } from './stream/poll-connection.ts'
import { createStreamConnection } from './stream/stream-connection.ts'
import type { MaybeAttributes, UserKey } from './user.ts'

/** The time that `flush()` waits. What is left is sent later. */
const FLUSH_TIMEOUT_MS = 30_000

/** Creates a client like `createClient`, on the given platform. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createClientOn(platform: Platform, given: ClientOptions): Client {
  const { url, sdkKey, source, bootstrap = [], connection: kind, offline = !!source } = given
  const options = { ...given, offline }
  const isManual = kind === 'manual'
  if (!offline) requireAddress(url, sdkKey)

  let lastError: ClientError | null = null
  let isReady = false
  /** The time of the latest bootstrap or snapshot. */
  let receivedAtMs = Number.NEGATIVE_INFINITY
  let closing: Promise<void> | null = null
  /** Grows with each change of what evaluations return. */
  let version = 0
  /** The functions that settle the pending `connect()` calls. */
  const settles: ((error?: ClientError) => void)[] = []

  const { on, emit } = createListeners<ClientEvents & { change: readonly string[] }>()
  const store = createFlagStore(bootstrap)
  const serverClock = createServerClock(platform.clock.now)
  const request = createRequest(url, sdkKey?.trim(), options.fetch ?? platform.fetch, serverClock)
  const reporter = createReporter({
    platform,
    request,
    serverClock,
    options,
    environmentId: () => store.environmentId,
    onError,
  })
  const acks = createAcks(platform, request, options)
  const unknownFlags = createUnknownFlags(platform.clock, request, !isManual, acks.client)
  const { onEvaluation, overrides } = options
  const evaluator = createEvaluator(
    { store, record: reporter.record, countUnknown: unknownFlags.count, onEvaluation },
    overrides,
    options.aliases,
  )
  const { evaluate, isEnabled, allFlags } = evaluator
  const connection = (kind && kind !== 'stream' ? createPollConnection : createStreamConnection)({
    platform,
    ...acks,
    store,
    options,
    listener: { onReady, onUpdate, onStale: () => emit('stale', undefined), onError },
  })
  const cache = createFlagCache({
    clock: platform.clock,
    options,
    flags: () => [...store.current.keys()].map((key) => store.current.get(key)),
    onError: (error) => emit('error', error),
  })
  let isCached = false
  let closeSource = () => {}

  function loadCache(): void {
    cache.load((flags) => {
      if (isReady) return
      isCached = true
      onUpdate(store.publish(createFlagSet(flags)))
      if (lastError) settle()
    })
  }

  function openSource({ open }: FlagSource): void {
    closeSource()
    closeSource = open({
      onFlags: (flags) => onReady(store.publish(createFlagSet(flags)), isReady),
      onError(error) {
        if (!isReady) settle(error)
        onError(error)
      },
    })
  }

  function onReady(flagKeys: readonly string[], isSnapshot: boolean): void {
    receivedAtMs = platform.clock.now()
    if (isReady && isSnapshot) {
      onUpdate(flagKeys)
      return
    }
    if (!offline) unknownFlags.start()
    const isFirst = !isReady && bootstrap.length === 0
    isReady = true
    version++
    lastError = null
    settle()
    // Pending reports may have waited for the environment, or for the server.
    if (!isManual) void reporter.flush()
    emit('ready', undefined)
    change(flagKeys, !isFirst)
  }

  function onUpdate(flagKeys: readonly string[]): void {
    if (flagKeys.length === 0) return
    version++
    change(flagKeys, true)
  }

  /** @param isUpdate False for the first flags: a change only for those who read flags before. */
  function change(flagKeys: readonly string[], isUpdate: boolean): void {
    emit('change', flagKeys)
    if (isReady && flagKeys.length > 0) cache.change()
    if (isUpdate && flagKeys.length > 0) emit('update', { flagKeys })
  }

  function onError(error: ClientError): void {
    lastError = error
    if (isRefusal(error)) settle(error)
    else if (isCached) settle()
    emit('error', error)
  }

  function settle(error?: ClientError): void {
    for (const each of settles.splice(0)) each(error)
  }

  /** Resolves with the next `ready`. A Node program does not end while this is pending. */
  async function connect(timeoutMs = LONGEST_TIMEOUT_MS): Promise<void> {
    if (closing !== null) throw new Error(CLOSED)
    if (!offline && !isReady && !isCached) loadCache()
    if (!offline && !(isManual && isReady)) connection.start()?.then(cache.flush).catch(settle)
    if (isReady) return
    if (source) openSource(source)
    else if (offline) onReady([], false)
    if (isReady) return
    if (connection.state === 'unauthorized') throw lastError
    return new Promise((resolve, reject) => {
      const cancelTimer = platform.clock.setTimer(
        () => onSettle(isCached ? undefined : new Error(`no flags within ${timeoutMs} ms`)),
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

  const userSource = {
    ...evaluator,
    track: reporter.track,
    version: () => version,
    revision: () => store.revision,
    isReady: () => isReady,
    onChange: (listener: (flagKeys: readonly string[]) => void) => on('change', listener),
  }

  return {
    isEnabled,
    // The caller is responsible for the type (see `Client`).
    getVariant: (flagKey: string, userKey: UserKey, attributes?: MaybeAttributes, fallback?: JsonValue) =>
      evaluate(flagKey, userKey, attributes, fallback).value as never,
    evaluate,
    allFlags,
    forUser: (userKey, attributes, userOptions) =>
      createUserFlags(userSource, userKey, attributes, userOptions),
    getMetadata(flagKey) {
      const flag = store.current.get(evaluator.keyOf(flagKey)) as Partial<EvaluatedFlag> | undefined
      return flag?.metadata ?? {}
    },
    setOverrides: (next) => onUpdate(evaluator.override(next)),
    track: reporter.track,
    connect({ timeoutMs } = {}) {
      const connected = connect(timeoutMs)
      // A program that does not await it gets the `error` event; an unhandled rejection would end Node.
      connected.catch(() => {})
      return connected
    },
    on,
    get status(): ClientStatus {
      const { environmentId, revision } = store
      return {
        state: offline ? 'offline' : connection.state,
        isReady,
        isPolling: connection.isPolling(),
        environmentId,
        flagCount: store.current.size,
        revision,
        lastError,
        ...reporter.counts,
      }
    },
    async refresh({ maxAgeMs = 0 } = {}) {
      if (closing !== null) throw new Error(CLOSED)
      if (offline || platform.clock.now() - receivedAtMs < maxAgeMs) return
      await connection.refresh()
      if (isManual) await cache.flush()
    },
    async flush() {
      const sendAll = () => Promise.all([reporter.flush(), unknownFlags.flush()])
      await timed(platform.clock, sendAll, FLUSH_TIMEOUT_MS).catch(() => {})
    },
    close() {
      if (closing !== null) return closing
      closing = Promise.all([reporter.close(), cache.flush()]).then(() => {})
      unknownFlags.close()
      connection.close()
      closeSource()
      settle(new Error(CLOSED))
      return closing
    },
  }
}

const CLOSED = 'the client is closed'
