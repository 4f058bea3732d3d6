import type { Endpoint } from '@burgee/contract'

interface Commented {
  /** The body without its comment. */
  readonly body: unknown
  readonly comment: string | undefined
}

/**
 * Takes the comment of a write from its body or its query. It belongs to the actor, not to the stored
 * resource.
 */
export function takeComment(
  { body: schema, method, query: querySchema }: Endpoint,
  body: unknown,
  query: unknown,
): Commented {
  if (method !== 'GET' && isRecord(body) && hasComment(schema)) {
    const { comment, ...rest } = body
    return { body: rest, comment: textOf(comment) }
  }
  const comment = method !== 'GET' && isRecord(query) && hasComment(querySchema) ? query.comment : undefined
  return { body, comment: textOf(comment) }
}

const hasComment = (schema: unknown): boolean => Object.hasOwn(Object(Object(schema).properties), 'comment')

/** Returns the trimmed comment; a blank one counts as none. */
const textOf = (comment: unknown): string | undefined =>
  typeof comment === 'string' && comment.trim() !== '' ? comment.trim() : undefined

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
