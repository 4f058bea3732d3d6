import { isObject } from '@burgee/contract'

/** Indented JSON; empty where there is nothing. */
const print = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)

/** Both sides as text, line under line: the fields of `after` are in the order of `before`, new ones last. */
export function printBoth(
  before: unknown,
  after: unknown,
): { readonly before: string; readonly after: string } {
  return { before: print(before), after: print(align(before, after)) }
}

function align(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) {
    return after.map((item, index) => align(before[index], item))
  }
  if (!isObject(before) || !isObject(after)) return after
  const known = Object.keys(before).filter((key) => Object.hasOwn(after, key))
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key))
  return Object.fromEntries([...known, ...added].map((key) => [key, align(before[key], after[key])]))
}
