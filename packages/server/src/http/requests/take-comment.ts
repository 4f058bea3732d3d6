import { type Endpoint, isObject } from '@burgee/contract'

interface Commented {
  /** The body without its comment. */
  readonly body: unknown
  readonly comment: string | undefined
}

/**
 * Creates the function that takes the comment of a write from its body or its query. It belongs to the actor,
 * not to the stored resource.
 */
export function commentTaker({
  body: schema,
  method,
  query: querySchema,
}: Endpoint): (body: unknown, query: unknown) => Commented {
  const isWrite = method !== 'GET'
  const isInBody = isWrite && hasComment(schema)
  const isInQuery = isWrite && hasComment(querySchema)
  return (body, query) => {
    if (isInBody && isObject(body)) {
      const { comment, ...rest } = body
      return { body: rest, comment: textOf(comment) }
    }
    return { body, comment: isInQuery && isObject(query) ? textOf(query.comment) : undefined }
  }
}

const hasComment = (schema: unknown): boolean => Object.hasOwn(Object(Object(schema).properties), 'comment')

/** Returns the trimmed comment; a blank one counts as none. */
const textOf = (comment: unknown): string | undefined =>
  typeof comment === 'string' && comment.trim() !== '' ? comment.trim() : undefined
