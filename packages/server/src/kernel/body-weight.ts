/** What an object and its numbers take beside its text. */
const BYTES_PER_ROW = 100

/**
 * About what a batch of reports takes in memory, in bytes, until it is stored: the parsed body stays that long, with the texts and fields of it
 * that are not kept. Its length is what the header says, or, in chunks, what is kept of it.
 */
export function bodyWeight(
  kept: { readonly rows: number; readonly characters: number },
  contentLength: string | undefined,
): number {
  const length = Number(contentLength ?? 0)
  return BYTES_PER_ROW * kept.rows + Math.max(kept.characters, Number.isFinite(length) ? length : 0)
}
