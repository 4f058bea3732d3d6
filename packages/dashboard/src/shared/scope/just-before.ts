/** Returns the moment before a change: its time, less a millisecond. */
export const justBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString()
