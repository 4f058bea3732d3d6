/** Browsers let a page that is being left send 64 KiB. */
export const MAX_BATCH_BYTES = 60_000

/** Splits JSON texts so that each batch fits; one that is larger by itself goes alone. */
export function splitBatch(items: readonly string[]): string[][] {
  const batches: string[][] = []
  let room = 0
  for (const item of items) {
    const bytes = new TextEncoder().encode(item).length + 1
    if (bytes > room) {
      batches.push([])
      room = MAX_BATCH_BYTES
    }
    room -= bytes
    batches.at(-1)?.push(item)
  }
  return batches
}
