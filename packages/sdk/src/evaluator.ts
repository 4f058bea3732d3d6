import type { Evaluation, JsonValue } from '@burgee/evaluation'
import type { MaybeAttributes, UserKey } from './client.ts'
import type { EvaluationEvent } from './client-options.ts'
import type { FlagStore } from './flag-store.ts'
import type { RecordImpression } from './reporting/impression-queue.ts'

/** The synchronous half of the client. */
export interface Evaluator {
  evaluate(flagKey: string, userKey: UserKey, attributes: MaybeAttributes, fallback?: JsonValue): Evaluation
  isEnabled(flagKey: string, userKey: UserKey, attributes: MaybeAttributes): boolean
  allFlags(userKey: UserKey, attributes: MaybeAttributes): Record<string, JsonValue>
}

/** @param recorder Its `record` is null while impressions are not wanted. */
export function createEvaluator(
  store: FlagStore,
  recorder: { readonly record: RecordImpression | null },
  overrides: Readonly<Record<string, JsonValue>>,
  onEvaluation: ((event: EvaluationEvent) => void) | undefined,
): Evaluator {
  const overridden = new Map(Object.entries(overrides).map(([key, value]) => [key, overrideOf(value)]))
  const hasOverrides = overridden.size > 0

  function evaluate(
    flagKey: string,
    userKey: UserKey,
    attributes: MaybeAttributes,
    fallback: JsonValue = null,
  ): Evaluation {
    const override = hasOverrides ? overridden.get(flagKey) : undefined
    const found = override ?? store.current.resolve(flagKey, userKey, attributes)
    const evaluation = found.value === null && fallback !== null ? { ...found, value: fallback } : found
    if (recorder.record !== null && override === undefined && isExposure(found)) {
      recorder.record(flagKey, userKey, evaluation.value ?? evaluation.enabled, attributes)
    }
    if (onEvaluation) {
      try {
        onEvaluation({ flagKey, userKey, attributes, evaluation })
      } catch {}
    }
    return evaluation
  }

  return {
    evaluate,
    isEnabled(flagKey, userKey, attributes) {
      const { value, enabled } = evaluate(flagKey, userKey, attributes)
      // Only where a truth value differs from `enabled` does it matter whether the flag is a boolean one.
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

/** Nothing of an unknown or unreadable flag was shown to anybody: reporting it would put users into wrong variants. */
function isExposure({ reason }: Evaluation): boolean {
  return reason !== 'FLAG_NOT_FOUND' && reason !== 'ERROR'
}

function overrideOf(value: JsonValue): Evaluation {
  return Object.freeze({ value, enabled: value !== null && value !== false, reason: 'STATIC' })
}
