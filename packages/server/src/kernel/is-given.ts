/** Whether a field was given and not set to null. */
export const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
