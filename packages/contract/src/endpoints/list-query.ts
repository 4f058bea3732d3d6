import { Type } from 'typebox'
import { LIST_LIMIT_MAX } from '../limits.ts'

const CURSOR_MAX_LENGTH = 2_000

export const cursorQuery = {
  cursor: Type.Optional(
    Type.String({
      maxLength: CURSOR_MAX_LENGTH,
      description: 'The start of the page: the `X-Next-Cursor` of the previous one',
    }),
  ),
}

/** The query parameters of every list. Without them the response has the whole list, as far as it fits. */
export const listQuery = {
  limit: Type.Optional(
    Type.Integer({
      description: `The number of items, clamped to 1 to ${LIST_LIMIT_MAX}; without it as many as fit into one response`,
    }),
  ),
  ...cursorQuery,
}
