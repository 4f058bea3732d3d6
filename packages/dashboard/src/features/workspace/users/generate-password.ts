/** Without the ones that are mistaken for one another: 0 and O, 1, l and I. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** A password that can be read out: 20 letters in groups of five, about 115 bits. */
export function generatePassword(): string {
  const groups = Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, pickLetter).join(''),
  )
  return groups.join('-')
}

/** Every letter as likely as another: bytes beyond a whole number of alphabets are drawn again. */
function pickLetter(): string {
  const bound = 256 - (256 % LETTERS.length)
  const [byte = bound] = crypto.getRandomValues(new Uint8Array(1))
  return byte < bound ? LETTERS.charAt(byte % LETTERS.length) : pickLetter()
}
