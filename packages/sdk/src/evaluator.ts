import type { Evaluation, JsonValue } from '@burgee/evaluation'
import type { Client } from './client.ts'
import type { EvaluationEvent } from './client-options.ts'
import type { FlagStore } from './flag-store.ts'
import type { RecordImpression } from './reporting/reporter.ts'
import type { MaybeAttributes, UserKey } from './user.ts'

/** The synchronous part of the client. */
export interface Evaluator extends Pick<Client, 'evaluate' | 'isEnabled' | 'allFlags'> {
  /** Evaluates without a report and without a fallback. */
  peek(flagKey: string, userKey: UserKey, attributes: MaybeAttributes): Evaluation
  /** Returns what `isEnabled` returns for this result. */
  isOn(evaluation: Evaluation, flagKey: string, userKey: UserKey, attributes: MaybeAttributes): boolean
  /** Reports a result that the program received. */
  report(flagKey: string, userKey: UserKey, attributes: MaybeAttributes, evaluation: Evaluation): void
  isOverridden(flagKey: string): boolean
  /** Returns the present key of a flag (see the option `aliases`). */
  keyOf(flagKey: string): string
  /** Replaces the overrides beyond the initial ones. Returns the keys of all old and new ones. */
  override(overrides: Overrides): string[]
}

export type Overrides = Readonly<Record<string, JsonValue>>

export interface EvaluatorNeeds {
  readonly store: FlagStore
  /**
   * Receives each evaluation, except for overrides and for flags whose value the caller did not receive.
   */
  readonly record: RecordImpression
  /** Receives the key of each evaluation that found no flag. */
  readonly countUnknown: (flagKey: string) => void
  readonly onEvaluation: ((event: EvaluationEvent) => void) | undefined
}

export function createEvaluator(
  { store, record, countUnknown, onEvaluation }: EvaluatorNeeds,
  initialOverrides: Overrides = {},
  aliases?: Readonly<Record<string, string>>,
): Evaluator {
  const present = aliases && new Map(Object.entries(aliases))
  const keyOf = (flagKey: string): string => present?.get(flagKey) ?? flagKey
  let overrides: Overrides
  let overridden = new Map<string, Evaluation>()

  function override(next: Overrides): string[] {
    const before = overridden
    overrides = Object.fromEntries(
      Object.entries({ ...initialOverrides, ...next }).map(([key, value]) => [keyOf(key), value]),
    )
    overridden = new Map(Object.entries(overrides).map(([key, value]) => [key, constantResult(value)]))
    return [...new Set([...before.keys(), ...overridden.keys()])]
  }
  override({})

  const peek: Evaluator['peek'] = (given, userKey, attributes) => {
    const flagKey = keyOf(given)
    return overridden.get(flagKey) ?? store.current.resolve(flagKey, userKey, attributes)
  }

  function isOn(
    { value, enabled }: Evaluation,
    flagKey: string,
    userKey: UserKey,
    attributes: MaybeAttributes,
  ): boolean {
    // The type of the flag matters only when a boolean value differs from `enabled`.
    if (value === enabled || typeof value !== 'boolean') return enabled
    return store.current.isEnabled(keyOf(flagKey), userKey, attributes)
  }

  function report(
    given: string,
    userKey: UserKey,
    attributes: MaybeAttributes,
    evaluation: Evaluation,
  ): void {
    const flagKey = keyOf(given)
    const { value, enabled, reason } = evaluation
    // Reports of an unknown or invalid flag would put users into wrong variants.
    if (reason === 'FLAG_NOT_FOUND') countUnknown(flagKey)
    else if (reason !== 'ERROR' && !overridden.has(flagKey))
      record(flagKey, userKey, value ?? enabled, attributes)
    try {
      onEvaluation?.({
        flagKey,
        userKey,
        attributes,
        evaluation,
        environmentId: store.environmentId,
        revision: store.revision,
      })
    } catch {}
  }

  const evaluate: Client['evaluate'] = (flagKey, userKey, attributes, fallback = null) => {
    const found = peek(flagKey, userKey, attributes)
    const evaluation = found.value === null && fallback !== null ? { ...found, value: fallback } : found
    report(flagKey, userKey, attributes, evaluation)
    return evaluation
  }

  return {
    peek,
    isOn,
    report,
    isOverridden: (flagKey) => overridden.has(keyOf(flagKey)),
    keyOf,
    override,
    evaluate,
    isEnabled: (flagKey, userKey, attributes) =>
      isOn(evaluate(flagKey, userKey, attributes), flagKey, userKey, attributes),
    allFlags(userKey, attributes) {
      const { current } = store
      const values = [...current.keys()].map((key) => [key, current.resolve(key, userKey, attributes).value])
      return { ...Object.fromEntries(values), ...overrides }
    },
  }
}

/** Returns the result of a value that does not depend on the user: an override, or one of the server. */
export function constantResult(value: JsonValue): Evaluation {
  return { value, enabled: value !== null && value !== false, reason: 'STATIC' }
}
