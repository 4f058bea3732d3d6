import { type Endpoint, isObject, type Warning } from '@burgee/contract'
import { limitWarnings, withWarnings } from '../../kernel/with-warnings.ts'

interface Response {
  readonly status: number
  readonly body: unknown
}

/**
 * Completes the warnings of a response: adds `field_ignored` for each field of the resource that the write
 * cannot set (docs/reference/api.md), and then limits the list. The stored value causes no warning, because
 * clients may send back what they have read.
 */
export function completeWarnings<A extends Response>(
  { ignores = [] }: Endpoint,
  sent: unknown,
  response: A,
): A {
  const { body } = response
  if (!isObject(body)) return response
  const own = listOf(body.warnings)
  const ignored = findIgnored(ignores, sent, storedIn(response.status, body))
  if (own.length + ignored.length === 0) return response
  return { ...response, body: limitWarnings(withWarnings(body, [...own, ...ignored])) }
}

/** Returns the stored resource. The body of a 202 is a change request, whose preview contains it. */
function storedIn(status: number, body: Readonly<Record<string, unknown>>): unknown {
  if (status !== 202) return body
  return isObject(body.preview) ? body.preview.before : undefined
}

function findIgnored(ignores: readonly string[], sent: unknown, stored: unknown): Warning[] {
  if (!isObject(sent) || !isObject(stored)) return []
  return ignores
    .filter((field) => Object.hasOwn(sent, field) && sent[field] !== null && sent[field] !== stored[field])
    .map(toWarning)
}

const toWarning = (field: string): Warning => ({
  code: 'field_ignored',
  path: `/${field}`,
  message: `"${field}" cannot be set here; it was ignored.`,
})

/** Returns the handler's own warnings; the response schema has validated them. */
const listOf = (warnings: unknown): Warning[] => (Array.isArray(warnings) ? warnings : [])
