import { type Condition, complementOf, operatorKind } from '@burgee/evaluation'

/** A condition that every user meets. No user has this attribute (docs/reference/operators.md). */
export const ALWAYS: Condition = { attribute: '$none', operator: 'is_not_set', values: [] }

/**
 * Returns the conditions that hold together exactly when the given one does not; none when it never holds.
 * `not_equals` holds when one of its values is missing, so its complement is one `equals` for each value.
 */
export function negate({ attribute, operator, values }: Condition): Condition[] {
  const ignoresValues = operatorKind(operator) === 'presence'
  if (values.length === 0 && !ignoresValues) return []
  const complement = complementOf(operator)
  if (complement !== null) return [{ attribute, operator: complement, values }]
  return [...new Set(values)].map((value) => ({ attribute, operator: 'equals', values: [value] }))
}
