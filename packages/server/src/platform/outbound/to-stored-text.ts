/** What is kept of an answer (contract, section 9). */
export const RESPONSE_MAX_BYTES = 4 * 1024

const REPLACEMENT = '\u{fffd}'

/**
 * Bytes as text that a database takes: UTF-8 of at most `max_bytes`, cut between two characters; NUL and what is no UTF-8 become
 * U+FFFD, which is longer than what it stands for. `is_cut` says that the bytes are the beginning of more: a character that
 * they break off in is left out then.
 */
export function toStoredText(
  bytes: Uint8Array,
  { is_cut, max_bytes = RESPONSE_MAX_BYTES }: { readonly is_cut: boolean; readonly max_bytes?: number },
): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const text = decoder.decode(bytes, { stream: is_cut }).replaceAll('\0', REPLACEMENT)
  const encoded = new TextEncoder().encode(text)
  if (encoded.length <= max_bytes) return text
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded.subarray(0, max_bytes), {
    stream: true,
  })
}
