/**
 * The number of distinct values of a flag in a response, the most frequent ones first. A flag may have a
 * different value for each user.
 */
export const LISTED_VALUES_MAX = 1_000
