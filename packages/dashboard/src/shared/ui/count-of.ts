import { formatCount } from '../charts/format-number.ts'

/** `1 flag`, `1,024 flags`. The plural is given where it is not the noun with an s. */
export const countOf = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(amount)} ${amount === 1 ? noun : plural}`
