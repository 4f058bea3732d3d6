import { createRequire } from 'node:module'
import { PASSWORD_MIN_LENGTH } from '@burgee/contract'

/**
 * The most frequent passwords in leaks, the most common first: 49,000, of which 18,000 are long enough for
 * our rules.
 */
const LIST = '@zxcvbn-ts/language-common/src/passwords.json'

let known: Set<string> | undefined

/**
 * Returns whether the password is one of the most common ones, ignoring case. The list is loaded on first
 * use.
 */
export function isCommonPassword(password: string): boolean {
  known ??= readList()
  return known.has(password.toLowerCase())
}

function readList(): Set<string> {
  const list: unknown = createRequire(import.meta.url)(LIST)
  if (!Array.isArray(list)) throw new Error(`${LIST} is not a list`)
  return new Set(list.filter((word) => typeof word === 'string' && word.length >= PASSWORD_MIN_LENGTH))
}
