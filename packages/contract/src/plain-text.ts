/**
 * The characters that names and addresses may have (docs/reference/api.md#names). A name is shown to people
 * who decide by it: an actor in the audit log, a key that is revoked. So nothing in it is invisible, changes
 * the order of what is shown, or looks like the address of another person.
 */

/** The formats of texts in the contract. */
export const PLAIN_FORMATS = ['plain-name', 'plain-email', 'plain-url'] as const
export type PlainFormat = (typeof PLAIN_FORMATS)[number]

/** The text of a refusal, to follow the name of the field. */
export const PLAIN_TEXT_REFUSAL =
  'must not have invisible characters, characters that change the order of text, line ends, or look-alikes of the signs of addresses (@ . : /)'

/**
 * Characters that are not seen by themselves: controls, ends of lines, controls of the order, tags, fillers
 * and selectors (Unicode 17, DerivedCoreProperties: Default_Ignorable_Code_Point), annotations, and the empty
 * pattern of Braille.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u

/** Scripts in which joiners change how words are written (Unicode Standard Annex 31, section 2.3.1). */
const JOINING = [
  ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Phag', 'Rohg', 'Adlm', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya'],
  ...['Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt', 'Bali', 'Java', 'Newa'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('')
const EMOJI = '\\p{Extended_Pictographic}'

/**
 * Hidden characters where writing needs them: joiners between letters, a joiner after the last sign of a
 * word, joiners and selectors of emoji, variants of ideographs in names of people, and those of Mongolian.
 */
const NEEDED_FORMS = [
  `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
  `(?<=(?=\\p{Mn})[${JOINING}])[\\u200c\\u200d]`,
  `(?<=${EMOJI}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=${EMOJI})`,
  `(?<=${EMOJI})[\\ufe0e\\ufe0f]`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]',
]
const NEEDED = new RegExp(NEEDED_FORMS.join('|'), 'gu')

const AT = '\\uff20\\ufe6b'
const DOTS = '\\uff0e\\ufe52\\u3002\\uff61\\ufe12\\u2024'
const COLONS = '\\uff1a\\ufe55\\ufe13\\ua789\\u2236'
const SLASHES = '\\uff0f\\u2044\\u2215\\u29f8'

/** A full-width colon and slash are usual in Chinese and Japanese names; the start of an address is not. */
const LOOK_ALIKES: Readonly<Record<PlainFormat, RegExp>> = {
  'plain-name': new RegExp(`[${AT}]|(?!://)[:${COLONS}][/${SLASHES}]{2}`),
  'plain-email': new RegExp(`[${AT}${DOTS}]`),
  'plain-url': new RegExp(`[${AT}${DOTS}${COLONS}${SLASHES}]`),
}

/** No name or address is longer, in UTF-16 units; nothing longer is searched. */
const PLAIN_MAX_LENGTH = 10_000

/** Returns whether a text has only what its kind may have. */
export const isPlain = (format: PlainFormat, text: string): boolean =>
  text.length <= PLAIN_MAX_LENGTH &&
  !(LOOK_ALIKES[format].test(text) || HIDDEN.test(text.replace(NEEDED, '')))

/** Returns a name from a service that Burgee cannot refuse, without what names may not have. */
export function toPlainName(text: string): string {
  const kept = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  const needed = new Set([...kept.matchAll(NEEDED)].map(({ index }) => index))
  const visible = kept.replace(EVERY_HIDDEN, (found, at: number) => (needed.has(at) ? found : ''))
  return visible.replace(new RegExp(LOOK_ALIKES['plain-name'], 'g'), ' ').trim()
}
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gu')
