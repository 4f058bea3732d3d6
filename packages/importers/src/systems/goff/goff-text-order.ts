import { matches } from '../../conditions.ts'
import { all, type Expression, isSet, not } from '../../expression.ts'
import { Gap } from '../../gap.ts'
import { tableOf } from '../../reading.ts'

/** Builds the order of texts in small letters, which no operator has, as a pattern. */
export function compareOrder(attribute: string, operator: string, text: string): Expression {
  const lowered = text.toLowerCase()
  const isInclusive = operator === 'ge' || operator === 'lt'
  const pattern = `^${patternFrom(lowered, isInclusive)}`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters of ASCII
  if (pattern.length > PATTERN_MAX_LENGTH || !/^[\x00-\x7f]*$/.test(lowered))
    throw new Gap('text_order', `${attribute} is ordered as a text that is too long.`)
  const isBehind = matches(attribute, [pattern])
  return operator === 'ge' || operator === 'gt' ? isBehind : all([isSet(attribute), not(isBehind)])
}
const PATTERN_MAX_LENGTH = 256

/** Returns a pattern of the texts that come after this one, or are equal to it. */
const patternFrom = (text: string, isInclusive: boolean): string =>
  [...text].reduceRight(
    (following, character) => `(?:[^${upTo(character)}]|${same(character)}${following})`,
    isInclusive ? '' : String.raw`[\s\S]`,
  )

const escaped = (code: number) => String.raw`\x${code.toString(16).padStart(2, '0')}`
const isLetter = (character: string) => /^[a-z]$/.test(character)
const same = (character: string) =>
  isLetter(character)
    ? `[${character}${character.toUpperCase()}${BEYOND_ASCII[character] ?? ''}]`
    : escaped(character.charCodeAt(0))
/** The only characters beyond ASCII whose small letters are in ASCII: the dotted capital I, and Kelvin. */
const BEYOND_ASCII = tableOf({ i: '\u0130', k: '\u212a' })

const [UPPER_FIRST, UPPER_END] = [0x41, 0x5b]

/** Returns the class of characters that, in small letters, come no later than this one. */
function upTo(character: string): string {
  const code = character.charCodeAt(0)
  // Small letters come after the characters between the two cases.
  if (code < UPPER_FIRST || code > 0x7a) return `${escaped(0)}-${escaped(code)}`
  const upper = isLetter(character) ? character.toUpperCase().charCodeAt(0) : UPPER_FIRST - 1
  const beyond = (['i', 'k'] as const).map((letter) => (character < letter ? '' : BEYOND_ASCII[letter]))
  return `${escaped(0)}-${escaped(upper)}${escaped(UPPER_END)}-${escaped(code)}${beyond.join('')}`
}
