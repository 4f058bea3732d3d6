import { setImmediate as nextTurn } from 'node:timers/promises'

export interface ListWrap {
  readonly before: string
  readonly after: string
}

/** The characters that are encoded in one turn, which takes some milliseconds. */
const CHARACTERS_PER_TURN = 2 * 1024 * 1024

/** Encodes JSON texts as one JSON list, in pieces with other work between them. */
export async function encodeItems(
  items: readonly string[],
  { after, before }: ListWrap = { before: '', after: '' },
): Promise<Buffer> {
  const pieces: Buffer[] = [Buffer.from(`${before}[`)]
  let from = 0
  let characters = 0
  for (let at = 0; at < items.length; at += 1) {
    characters += items[at]?.length ?? 0
    if (characters < CHARACTERS_PER_TURN && at < items.length - 1) continue
    pieces.push(Buffer.from((from > 0 ? ',' : '') + items.slice(from, at + 1).join(',')))
    from = at + 1
    characters = 0
    if (from < items.length) await nextTurn()
  }
  pieces.push(Buffer.from(`]${after}`))
  return Buffer.concat(pieces)
}
