import { setImmediate as nextTurn } from 'node:timers/promises'

export interface ListWrap {
  readonly before: string
  readonly after: string
}

/** The characters that are measured or encoded in one turn, which takes some milliseconds. */
const CHARACTERS_PER_TURN = 2 * 1024 * 1024

/**
 * Encodes JSON texts as one JSON list, in pieces with other work between them. The pieces are written into
 * one buffer, because each copy of a large list is memory that is free again only much later.
 */
export async function encodeItems(
  items: readonly string[],
  { after, before }: ListWrap = { before: '', after: '' },
): Promise<Buffer> {
  const parts = function* () {
    yield `${before}[`
    for (const [at, item] of items.entries()) {
      if (at > 0) yield ','
      yield item
    }
    yield `]${after}`
  }
  let bytes = 0
  await eachInTurns(parts(), (part) => {
    bytes += Buffer.byteLength(part)
  })
  const encoded = Buffer.allocUnsafe(bytes)
  let at = 0
  await eachInTurns(parts(), (part) => {
    at += encoded.write(part, at)
  })
  return encoded
}

async function eachInTurns(parts: Iterable<string>, use: (part: string) => void): Promise<void> {
  let characters = 0
  for (const part of parts) {
    if (characters > CHARACTERS_PER_TURN) {
      characters = 0
      await nextTurn()
    }
    use(part)
    characters += part.length
  }
}
