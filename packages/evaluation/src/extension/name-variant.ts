import { assertValid } from '../assert-valid.ts'
import { deepEqual } from '../deep-equal.ts'
import type { CreateEvaluation, Evaluation } from '../evaluation.ts'
import type { JsonValue } from '../flag.ts'

const TEXT_MAX_LENGTH = 100

/**
 * Builds results with the name of their value (docs/reference/evaluation.md#names-of-variants).
 *
 * @param names The `variant_names` of the flag.
 * @throws TypeError when they are no object.
 */
export function createNamedEvaluation(names: unknown): CreateEvaluation {
  assertValid(names == null || (typeof names === 'object' && !Array.isArray(names)))
  const named = Object.entries((names ?? {}) as Record<string, JsonValue>).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  return (reason, value, enabled, detail = {}) => {
    const found = named.find(([, each]) => deepEqual(each, value))
    const variant = found?.[0] ?? textOf(value) ?? stepOf(enabled, detail)
    // One literal that begins with a name: V8 gives each that begins with a spread a hidden class of its own.
    return Object.freeze({ value, enabled, reason, ...detail, variant })
  }
}

/** The text of a scalar, unless it is long. */
function textOf(value: JsonValue): string | undefined {
  const text = value === null || typeof value === 'object' ? undefined : String(value)
  return text !== undefined && text.length <= TEXT_MAX_LENGTH ? text : undefined
}

/** A name after the step that decided. */
function stepOf(enabled: boolean, { rule_index, variant_index }: Partial<Evaluation>): string {
  if (!enabled) return 'disabled'
  if (variant_index !== undefined) return `variant-${variant_index}`
  return rule_index === undefined ? 'default' : `rule-${rule_index}`
}
