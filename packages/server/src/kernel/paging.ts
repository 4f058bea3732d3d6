import { LIST_LIMIT_MAX } from '@burgee/contract'

/** Out of range is clamped, as for every paging parameter. */
export const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most)

/** The `limit` of a list; null where none was sent. */
export const listLimit = (limit: number | undefined): number | null =>
  limit === undefined ? null : clamp(limit, 1, LIST_LIMIT_MAX)
