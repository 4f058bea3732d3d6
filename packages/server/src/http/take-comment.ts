import { type Endpoint, isObject } from '@burgee/contract'

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
  if (method !== 'GET' && isObject(body) && hasComment(schema)) {
    const { comment, ...rest } = body
    return { body: rest, comment: textOf(comment) }
  }
  const comment = method !== 'GET' && isObject(query) && hasComment(querySchema) ? query.comment : undefined
  return { body, comment: textOf(comment) }
}

const hasComment = (schema: unknown): boolean => Object.hasOwn(Object(Object(schema).properties), 'comment')

/** Returns the trimmed comment; a blank one counts as none. */
const textOf = (comment: unknown): string | undefined =>
  typeof comment === 'string' && comment.trim() !== '' ? comment.trim() : undefined
