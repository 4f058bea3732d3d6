/** The bytes of an object and its numbers, without its text. */
const BYTES_PER_ROW = 100

/**
 * Estimates the bytes that a batch of reports takes in memory until it is stored: the parsed body with its
 * texts, including fields that are not stored. The length is that of the header, or, with chunks, of what is
 * kept.
 */
export function bodyWeight(
  kept: { readonly rows: number; readonly characters: number },
  contentLength: string | undefined,
): number {
  const length = Number(contentLength ?? 0)
  return BYTES_PER_ROW * kept.rows + Math.max(kept.characters, Number.isFinite(length) ? length : 0)
}
