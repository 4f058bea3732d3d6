/** The name of the product, which is in everyone's mind when they choose a password for it. */
const OWN_WORDS = ['burgee']
/** The letters beside listed words below which a password counts as made of them. */
const OTHER_LETTERS_MIN = 5

/**
 * Returns whether a password is little more than words of the organization: without them, and without digits
 * and punctuation, hardly a letter is left. Case does not matter.
 */
export function isMadeOfWords(password: string, words: readonly string[]): boolean {
  const lower = password.toLowerCase()
  const listed = [...OWN_WORDS, ...words.map((word) => word.toLowerCase())].filter((word) =>
    lower.includes(word),
  )
  if (listed.length === 0) return false
  // The longest first: it may contain a shorter one.
  const rest = listed
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, word) => text.replaceAll(word, ' '), lower)
  return rest.replaceAll(/\P{L}/gu, '').length < OTHER_LETTERS_MIN
}
