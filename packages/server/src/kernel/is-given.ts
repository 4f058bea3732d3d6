/** Returns whether a field was given and is not null. */
export const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
