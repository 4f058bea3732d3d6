import type { DehydratedFlags, Evaluation } from '@burgee/sdk'

/** The results made from dehydrated values: React needs the same object each time. */
const known = new WeakMap<DehydratedFlags, Map<string, Evaluation>>()

/** Returns the result of a flag as the server rendered it. */
export function evaluateRendered(rendered: DehydratedFlags, flagKey: string): Evaluation {
  const results = known.get(rendered) ?? new Map<string, Evaluation>()
  known.set(rendered, results)
  const result = results.get(flagKey) ?? toEvaluation(rendered, flagKey)
  results.set(flagKey, result)
  return result
}

function toEvaluation({ enabled = {}, values }: DehydratedFlags, flagKey: string): Evaluation {
  if (!Object.hasOwn(values, flagKey)) return { value: null, enabled: false, reason: 'FLAG_NOT_FOUND' }
  const value = values[flagKey] ?? null
  const isOn = Object.hasOwn(enabled, flagKey) ? enabled[flagKey] === true : value !== null && value !== false
  return { value, enabled: isOn, reason: 'STATIC' }
}
