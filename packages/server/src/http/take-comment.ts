import type { Endpoint } from '@burgee/contract'

interface Commented {
  /** The body without its comment. */
  readonly body: unknown
  readonly comment: string | undefined
}

/** Where a write may say why, in its body or its query: the comment is the actor's, and no part of what is written. */
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

/** A blank one is none. */
const textOf = (comment: unknown): string | undefined =>
  typeof comment === 'string' && comment.trim() !== '' ? comment.trim() : undefined

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
