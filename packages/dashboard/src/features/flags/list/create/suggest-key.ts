import { KEY_MAX_LENGTH } from '@burgee/contract'

/** Longer ones are allowed and hard to read in code. */
const SUGGESTION_MAX = 40

/** A key out of words: `One button, not four` becomes `one-button-not-four`. Empty where no letter or digit fits. */
export function suggestKey(words: string): string {
  const parts = words
    .slice(0, KEY_MAX_LENGTH * 2)
    .normalize('NFKD')
    .toLowerCase()
    // What an accent leaves behind belongs to its letter.
    .replace(/[\p{M}'’]+/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  let key = ''
  for (const part of parts) {
    const longer = key === '' ? part : `${key}-${part}`
    if (longer.length > SUGGESTION_MAX) break
    key = longer
  }
  return key || (parts[0] ?? '').slice(0, SUGGESTION_MAX)
}
