/**
 * Decodes UTF-8, with or without a byte order mark, or UTF-16 with its mark, as programs of Windows do.
 * @throws TypeError for other bytes.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new TypeError('it has bytes that are no UTF-8: save the file as UTF-8')
  }
}
