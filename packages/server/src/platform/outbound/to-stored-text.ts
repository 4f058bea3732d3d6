/** The characters of a response that a delivery log keeps. */
export const RESPONSE_MAX_CHARACTERS = 500

/** The bytes of a character in UTF-8, at most. */
export const CHARACTER_MAX_BYTES = 4

const REPLACEMENT = '\u{fffd}'

/**
 * Converts bytes to text that a database accepts: UTF-8 of at most `maxCharacters`, with U+FFFD for NUL and
 * invalid bytes. With `isCut`, the bytes are the start of more, and a character that is split at their end is
 * left out.
 */
export function toStoredText(
  bytes: Uint8Array,
  {
    isCut,
    maxCharacters = RESPONSE_MAX_CHARACTERS,
  }: { readonly isCut: boolean; readonly maxCharacters?: number },
): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return firstCharacters(
    decoder.decode(bytes, { stream: isCut }).replaceAll('\0', REPLACEMENT),
    maxCharacters,
  )
}

/** Returns the first code points of a text. */
export function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text
  let end = 0
  for (let count = 0; count < max && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1
  }
  return text.slice(0, end)
}

const LAST_OF_ONE_UNIT = 0xffff
