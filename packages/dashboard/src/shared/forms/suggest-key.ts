/** Longer keys are allowed and hard to read in code. */
const USUAL_MAX = 40
/** More of a text than any key is made of. */
const READ_MAX = 1_000

/**
 * A key out of words: `One button, not four` becomes `one-button-not-four`. It ends with a whole word where
 * it can, and is empty where no letter or digit of ASCII is left.
 */
export function suggestKey(words: string, maxLength = USUAL_MAX): string {
  const parts = words
    .slice(0, READ_MAX)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    // A mark that an accent leaves behind belongs to its letter.
    .replace(/[\p{M}'’]+/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  let key = ''
  for (const part of parts) {
    const longer = key === '' ? part : `${key}-${part}`
    if (longer.length > maxLength) break
    key = longer
  }
  return key || (parts[0] ?? '').slice(0, maxLength)
}
