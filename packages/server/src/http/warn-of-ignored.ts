import type { Endpoint, Warning } from '@burgee/contract'
import { withWarnings } from '../kernel/with-warnings.ts'

/**
 * Adds the warning `field_ignored` for each field of the resource that the write cannot set
 * (docs/reference/api.md). The stored value causes no warning, because clients may send back what they have
 * read.
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

/** Returns the handler's own warnings; the response schema has validated them. */
const listOf = (warnings: unknown): Warning[] => (Array.isArray(warnings) ? warnings : [])
