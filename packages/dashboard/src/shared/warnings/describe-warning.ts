import type { Warning } from '@burgee/contract'
import { asSentence, describePointer, plainText } from '../api/plain-text.ts'

/** Returns a warning after the name of the item that it is about: `Rule 2: There is no segment "vip".` */
export function describeWarning({ message, path }: Pick<Warning, 'message' | 'path'>): string {
  const [item] = /^\/(?:rules|prerequisites|variants)\/\d+(?:\/conditions\/\d+)?/.exec(path) ?? []
  const text = asSentence(plainText(message))
  return item === undefined ? text : `${capitalize(describePointer(item))}: ${text}`
}

/** Counts warnings. The last one of a list that was cut stands for many. */
export const countWarnings = (warnings: readonly Warning[]): number =>
  warnings.reduce((sum, { code, message }) => sum + (code === 'more_warnings' ? numberIn(message) : 1), 0)

const numberIn = (text: string): number => Number(/\d+/.exec(text)?.[0] ?? 1)

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
