import { type Flag, IMPRESSION_VALUE_MAX_LENGTH } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

/**
 * The weights of a flag's values, by the text under which SDKs report them; equal values count together. A value of null is left out:
 * it is reported as whatever the caller of the SDK falls back on.
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

/** A string as it is, anything else as JSON, and of either no more than is stored (docs/reference/reports.md). */
function reportedText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= IMPRESSION_VALUE_MAX_LENGTH) return text
  return [...text].slice(0, IMPRESSION_VALUE_MAX_LENGTH).join('')
}
