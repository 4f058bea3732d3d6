import { type Flag, IMPRESSION_VALUE_MAX_LENGTH } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

/**
 * Returns the weights of a flag's values, by the text that SDKs report; equal values are summed. A value of
 * null is left out: SDKs report the caller's fallback instead.
 */
export function weightsOf(flag: Pick<Flag, 'variants'> | undefined): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { value, weight } of flag?.variants ?? []) {
    if (value === null) continue
    const text = reportedText(value)
    weights.set(text, (weights.get(text) ?? 0) + weight)
  }
  return weights
}

/**
 * Formats a value as reports do: a string as it is, anything else as JSON, cut to the stored length
 * (docs/reference/reports.md).
 */
function reportedText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= IMPRESSION_VALUE_MAX_LENGTH) return text
  return [...text].slice(0, IMPRESSION_VALUE_MAX_LENGTH).join('')
}
