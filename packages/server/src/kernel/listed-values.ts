/** Values of one flag that an answer tells apart, the most frequent ones: a flag may give a value of its own to each user. */
export const LISTED_VALUES_MAX = 1_000
