import type { Evaluation, JsonValue } from '@burgee/evaluation'
import type { Client } from './client.ts'
import type { ClientOptions } from './client-options.ts'
import type { FlagStore } from './flag-store.ts'
import type { RecordImpression } from './reporting/reporter.ts'

/** The synchronous part of the client. */
export type Evaluator = Pick<Client, 'evaluate' | 'isEnabled' | 'allFlags'>

/**
 * @param record Receives each evaluation, except for overrides and for flags whose value the caller did not
 *   receive.
 * @param countUnknown Receives the key of each evaluation that found no flag.
 */
export function createEvaluator(
  store: FlagStore,
  record: RecordImpression,
  countUnknown: (flagKey: string) => void,
  { overrides = {}, onEvaluation }: ClientOptions,
): Evaluator {
  const overridden = new Map(Object.entries(overrides).map(([key, value]) => [key, overrideOf(value)]))

  const evaluate: Client['evaluate'] = (flagKey, userKey, attributes, fallback = null) => {
    const override = overridden.get(flagKey)
    const found = override ?? store.current.resolve(flagKey, userKey, attributes)
    const { value, enabled, reason } = found
    const evaluation = value === null && fallback !== null ? { ...found, value: fallback } : found
    // Reports of an unknown or invalid flag would put users into wrong variants.
    if (reason === 'FLAG_NOT_FOUND') countUnknown(flagKey)
    else if (!override && reason !== 'ERROR')
      record(flagKey, userKey, evaluation.value ?? enabled, attributes)
    try {
      onEvaluation?.({ flagKey, userKey, attributes, evaluation })
    } catch {}
    return evaluation
  }

  return {
    evaluate,
    isEnabled(flagKey, userKey, attributes) {
      const { value, enabled } = evaluate(flagKey, userKey, attributes)
      // The type of the flag matters only when a boolean value differs from `enabled`.
      if (value === enabled || typeof value !== 'boolean') return enabled
      return store.current.isEnabled(flagKey, userKey, attributes)
    },
    allFlags(userKey, attributes) {
      const { current } = store
      const values = [...current.keys()].map((key) => [key, current.resolve(key, userKey, attributes).value])
      return { ...Object.fromEntries(values), ...overrides }
    },
  }
}

function overrideOf(value: JsonValue): Evaluation {
  return { value, enabled: value !== null && value !== false, reason: 'STATIC' }
}
