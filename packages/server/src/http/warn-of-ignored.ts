import type { Endpoint, Warning } from '@burgee/contract'
import { withWarnings } from '../kernel/with-warnings.ts'

/**
 * A field that a write does not take, though its resource has it, is answered with the warning `field_ignored` (docs/reference/api.md).
 * A client may send back what it has read: the stored value is no mistake.
 */
export function warnOfIgnored<A extends { readonly body: unknown }>(
  { ignores = [] }: Endpoint,
  sent: unknown,
  answer: A,
): A {
  const { body } = answer
  if (ignores.length === 0 || !isRecord(sent) || !isRecord(body)) return answer
  const found = ignores
    .filter((field) => Object.hasOwn(sent, field) && sent[field] !== null && sent[field] !== body[field])
    .map(toWarning)
  if (found.length === 0) return answer
  return { ...answer, body: withWarnings(body, [...listOf(body.warnings), ...found]) }
}

const toWarning = (field: string): Warning => ({
  code: 'field_ignored',
  path: `/${field}`,
  message: `"${field}" cannot be set here; it was ignored.`,
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The handler's own warnings, which its response schema has checked. */
const listOf = (warnings: unknown): Warning[] => (Array.isArray(warnings) ? warnings : [])
