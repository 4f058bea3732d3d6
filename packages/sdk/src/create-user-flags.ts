import type { Evaluation, JsonValue } from '@burgee/evaluation'
import type { Client, ClientEvents } from './client.ts'
import { constantResult, type Evaluator } from './evaluator.ts'
import { createListeners } from './listeners.ts'
import type { MaybeAttributes, UserKey } from './user.ts'
import type { UserFlags, UserFlagsOptions } from './user-flags.ts'
import { createUserResults, isSame, type UserResult } from './user-results.ts'

/** The needs of the flags of a user: the client behind them. */
export interface UserFlagsSource extends Omit<Evaluator, 'evaluate' | 'isEnabled' | 'override'> {
  readonly track: Client['track']
  /** Returns a number that grows with each change of a flag, and when the client becomes ready. */
  version(): number
  revision(): number
  isReady(): boolean
  /** Calls back after the version has grown, with the keys of flags that may have changed. */
  onChange(listener: (flagKeys: readonly string[]) => void): () => void
}

/** Creates the flags of one user. The client keeps nothing of them while they have no subscription. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createUserFlags(
  source: UserFlagsSource,
  userKey: UserKey,
  attributes: MaybeAttributes,
  { initial }: UserFlagsOptions = {},
): UserFlags {
  const { on, emit } = createListeners<Pick<ClientEvents, 'update'>>()
  const subscriptions = new Set<() => void>()
  let unsubscribe = () => {}
  let user = userText(userKey, attributes)
  /** The number of changes of the user. */
  let changes = 0
  let values: Readonly<Record<string, JsonValue>> = Object.freeze({})
  let valuesVersion = -1

  const version = () => source.version() + changes
  const results = createUserResults(version, (flagKey) => {
    const key = source.keyOf(flagKey)
    if (isInitial(key)) {
      const evaluation = constantResult(initial?.values[key] ?? null)
      return { evaluation, isOn: initial?.enabled?.[key] ?? evaluation.enabled }
    }
    const evaluation = source.peek(flagKey, userKey, attributes)
    return { evaluation, isOn: source.isOn(evaluation, flagKey, userKey, attributes) }
  })

  function isInitial(flagKey: string): boolean {
    return (
      !!initial?.values &&
      !source.isReady() &&
      Object.hasOwn(initial.values, flagKey) &&
      !source.isOverridden(flagKey)
    )
  }

  /** Reports a result that is new to the program. The server has reported the initial ones. */
  function report(result: UserResult, flagKey: string, evaluation: Evaluation): void {
    if (result.isReported || isInitial(source.keyOf(flagKey))) return
    result.isReported = true
    source.report(flagKey, userKey, attributes, evaluation)
  }

  function evaluate(flagKey: string, fallback: JsonValue = null): Evaluation {
    const result = results.read(flagKey)
    let { evaluation } = result
    if (evaluation.value === null && fallback !== null) {
      if (!result.merged || !isSame(result.merged.value, fallback)) {
        result.merged = { ...evaluation, value: fallback }
      }
      evaluation = result.merged
    }
    report(result, flagKey, evaluation)
    return evaluation
  }

  function inspect(): Record<string, Evaluation> {
    const given = source.isReady() ? {} : initial?.values
    const keys = Object.keys({ ...given, ...source.allFlags(userKey, attributes) })
    return Object.fromEntries(keys.map((key) => [key, results.read(key).evaluation]))
  }

  function all(): Readonly<Record<string, JsonValue>> {
    if (valuesVersion !== version()) {
      const next = Object.fromEntries(Object.entries(inspect()).map(([key, { value }]) => [key, value]))
      if (!isSame(values, next)) values = Object.freeze(next)
      valuesVersion = version()
    }
    return values
  }

  function publish(flagKeys: readonly string[]): void {
    const changed = results.takeChanged()
    for (const key of flagKeys) if (!results.has(key)) changed.add(key)
    if (changed.size > 0) emit('update', { flagKeys: [...changed] })
  }

  return {
    get userKey() {
      return userKey
    },
    get attributes() {
      return attributes
    },
    isEnabled(flagKey) {
      const result = results.read(flagKey)
      report(result, flagKey, result.evaluation)
      return result.isOn
    },
    // The caller is responsible for the type (see `UserFlags`).
    getVariant: (flagKey: string, fallback?: unknown) =>
      evaluate(flagKey, fallback as JsonValue).value as never,
    evaluate,
    all,
    inspect,
    on(event, listener) {
      if (subscriptions.size === 0) {
        // What changed before has no listener.
        results.takeChanged()
        unsubscribe = source.onChange(publish)
      }
      const stop = on(event, listener)
      const end = () => {
        stop()
        if (subscriptions.delete(end) && subscriptions.size === 0) unsubscribe()
      }
      subscriptions.add(end)
      return end
    },
    setUser(nextKey, nextAttributes) {
      const next = userText(nextKey, nextAttributes)
      if (next === user) return
      user = next
      userKey = nextKey
      attributes = nextAttributes
      initial = null
      changes++
      results.forgetReports()
      publish([])
    },
    dehydrate(flagKeys = Object.keys(all())) {
      const read = flagKeys.map((key) => [key, results.read(key)] as const)
      const unusual = read.filter(
        ([, { isOn, evaluation }]) => isOn !== constantResult(evaluation.value).enabled,
      )
      return {
        values: Object.fromEntries(read.map(([key, { evaluation }]) => [key, evaluation.value])),
        revision: source.revision() || (initial?.revision ?? 0),
        ...(unusual.length > 0 && {
          enabled: Object.fromEntries(unusual.map(([key, { isOn }]) => [key, isOn])),
        }),
      }
    },
    track: (eventKey, detail) => source.track(eventKey, userKey, detail),
    close() {
      for (const end of subscriptions) end()
    },
  }
}

/** Returns a text that differs for users with different results; a new one where there is no text. */
function userText(userKey: UserKey, attributes: MaybeAttributes): unknown {
  try {
    return JSON.stringify([userKey, attributes ?? {}])
  } catch {
    return {}
  }
}
