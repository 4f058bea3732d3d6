import { type Flag, KEY_MAX_LENGTH, KEY_PATTERN } from '@burgee/contract'

const keyPattern = new RegExp(KEY_PATTERN)

/** Why a flag cannot have this key, or null. Writing to a key that exists would replace that flag. */
export type KeyProblem =
  | { readonly kind: 'unfit'; readonly message: string }
  | { readonly kind: 'taken'; readonly flag: Flag }

export function checkKey(key: string, flags: readonly Flag[]): KeyProblem | null {
  if (key === '') return { kind: 'unfit', message: 'Enter the key that code uses for the flag.' }
  if (key.length > KEY_MAX_LENGTH) {
    return { kind: 'unfit', message: `At most ${KEY_MAX_LENGTH} characters; these are ${key.length}.` }
  }
  if (!keyPattern.test(key)) {
    return { kind: 'unfit', message: 'Only letters a to z, digits, hyphens and underscores.' }
  }
  const flag = flags.find((other) => other.key === key)
  return flag ? { kind: 'taken', flag } : null
}
