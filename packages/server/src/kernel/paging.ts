import { LIST_LIMIT_MAX } from '@burgee/contract'

/** Limits a value to a range, as every paging parameter. */
export const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most)

/** The `limit` of a list; null when none was sent. */
export const listLimit = (limit: number | undefined): number | null =>
  limit === undefined ? null : clamp(limit, 1, LIST_LIMIT_MAX)
