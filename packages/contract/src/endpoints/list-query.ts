import { Type } from 'typebox'
import { LIST_LIMIT_MAX } from '../limits.ts'

const CURSOR_MAX_LENGTH = 2_000

export const cursorQuery = {
  cursor: Type.Optional(
    Type.String({
      maxLength: CURSOR_MAX_LENGTH,
      description: 'Where the page begins: the `X-Next-Cursor` of the page before',
    }),
  ),
}

/** The query parameters of every list. Without them the response has the whole list, as far as it fits. */
export const listQuery = {
  limit: Type.Optional(
    Type.Integer({
      description: `At most so many items, clamped to 1 to ${LIST_LIMIT_MAX}; without it as many as one answer holds`,
    }),
  ),
  ...cursorQuery,
}
