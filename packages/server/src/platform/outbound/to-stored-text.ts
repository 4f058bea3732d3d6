/** How much of an answer a delivery log keeps, in characters. */
export const RESPONSE_MAX_CHARACTERS = 500

/** A character of UTF-8 takes at most so many bytes. */
export const CHARACTER_MAX_BYTES = 4

const REPLACEMENT = '\u{fffd}'

/**
 * Bytes as text that a database accepts: UTF-8 of at most `maxCharacters`; NUL and invalid bytes become U+FFFD. `isCut` says that
 * the bytes are the beginning of more: a character that they break off in is left out then.
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

/** The first code points of a text. */
export function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text
  let end = 0
  for (let count = 0; count < max && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1
  }
  return text.slice(0, end)
}

const LAST_OF_ONE_UNIT = 0xffff
