/** Returns a number with its noun: `1 stream`, `2 streams`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
