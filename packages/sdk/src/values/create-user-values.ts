import type { ClientOptions, UserKey } from '@burgee/sdk'
import { type ClientError, isRefusal } from '../client-error.ts'
import { hash } from '../flag-cache.ts'
import { createListeners } from '../listeners.ts'
import { LONGEST_TIMEOUT_MS } from '../platform.ts'
import { followValues, type ValuesNeeds } from './follow-values.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { UserValues, UserValuesEvents, ValuesAttributes } from './user-values.ts'
import { createValuesStore, type ValueResult } from './values-store.ts'

/** The format of the text. A cache with another one is not read. */
const VERSION = 1
const CLOSED = 'the values are closed'

/** Creates the values of one user. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createUserValues(
  needs: ValuesNeeds,
  cache: ClientOptions['cache'],
  sdkKey: string,
  userKey: UserKey,
  attributes: ValuesAttributes,
): UserValues {
  const { on, emit } = createListeners<UserValuesEvents>()
  const store = createValuesStore()
  /** The functions that settle the pending `ready()` calls. */
  const settles = new Set<(error?: ClientError) => void>()
  let body = bodyOf(userKey, attributes)
  let isReady = false
  let isClosed = false
  /** Counts the users, and the close: what an earlier one still brings is dropped. */
  let turn = 0
  /** The latest failure before values arrived. */
  let failure: ClientError | null = null
  let stop = () => {}

  /** The values belong to this key and user: another visitor of the browser does not get them. */
  const owner = () => hash(sdkKey + body)
  const report = (what: string) => (error: unknown) =>
    emit('error', new Error(`the cache cannot be ${what}: ${error}`, { cause: error }))

  const save = oneAtATime(async () => {
    // Another user may have no values yet: the last ones stay.
    if (store.results)
      await cache?.save(JSON.stringify({ version: VERSION, owner: owner(), results: store.results }))
  })

  async function restore(mine: number): Promise<void> {
    const saved = JSON.parse((await cache?.load()) ?? 'null')
    if (mine !== turn || isReady || saved?.version !== VERSION || saved.owner !== owner()) return
    if (!Array.isArray(saved.results)) return
    publish(saved.results)
    if (mine === turn && failure) settle()
  }

  function publish(results: readonly ValueResult[] | null): void {
    const flagKeys = store.replace(results)
    if (flagKeys.length > 0) emit('update', { flagKeys })
  }

  function settle(error?: ClientError): void {
    for (const each of settles) each(error)
    settles.clear()
  }

  function start(): void {
    const mine = ++turn
    stop = followValues(needs, body, {
      onResults(results) {
        publish(results)
        // A listener may have set another user, or closed the values.
        if (mine !== turn) return
        isReady = true
        settle()
        save().catch(report('saved'))
      },
      onError(error) {
        failure = error
        if (isRefusal(error)) settle(error)
        else if (store.results) settle()
        emit('error', error)
      },
    })
    restore(mine).catch(report('read'))
  }
  start()

  async function ready(timeoutMs: number): Promise<void> {
    if (isReady || (failure && store.results)) return
    if (isClosed) throw new Error(CLOSED)
    if (failure && isRefusal(failure)) throw failure
    return new Promise((resolve, reject) => {
      const onEnd = (error?: ClientError) => {
        cancelTimer()
        if (error) reject(error)
        else resolve()
      }
      const cancelTimer = needs.clock.setTimer(
        () => {
          settles.delete(onEnd)
          onEnd(store.results ? undefined : new Error(`no values within ${timeoutMs} ms`))
        },
        timeoutMs,
        true,
      )
      settles.add(onEnd)
    })
  }

  return {
    get userKey() {
      return userKey
    },
    get attributes() {
      return attributes
    },
    isEnabled: store.isEnabled,
    // The caller is responsible for the type (see `UserValues`).
    getVariant: (flagKey: string, fallback: unknown = null) => (store.valueOf(flagKey) ?? fallback) as never,
    ready({ timeoutMs = LONGEST_TIMEOUT_MS } = {}) {
      const waited = ready(Math.min(timeoutMs, LONGEST_TIMEOUT_MS))
      // A program that does not await it gets the `error` event; an unhandled rejection would end Node.
      waited.catch(() => {})
      return waited
    },
    on,
    setUser(nextKey, nextAttributes) {
      const next = bodyOf(nextKey, nextAttributes)
      if (isClosed || next === body) return
      stop()
      body = next
      userKey = nextKey
      attributes = nextAttributes
      isReady = false
      failure = null
      publish(null)
      start()
    },
    close() {
      isClosed = true
      turn += 1
      stop()
      settle(new Error(CLOSED))
    },
  }
}

/** Returns the request for a user; an empty one, which the server refuses, where attributes are not JSON. */
function bodyOf(userKey: UserKey, attributes: ValuesAttributes): string {
  try {
    return JSON.stringify({ context: { ...attributes, targetingKey: userKey } })
  } catch {
    return ''
  }
}
