/**
 * True if values survive being written one on each line: an empty one, one twice or one with a line break
 * does not.
 */
export const mayBeLines = (values: readonly string[]): boolean =>
  new Set(values).size === values.length && values.every((value) => value !== '' && !/[\r\n]/.test(value))

export const joinLines = (values: readonly string[]): string => values.join('\n')

/** Splits a text into values. Blank and repeated lines are dropped. */
export const splitLines = (text: string): string[] => [
  ...new Set(text.split(/\r?\n/).filter((line) => line !== '')),
]
