import type { TypedFlag } from '@burgee/contract'
import type { Lease } from '../../kernel/lease.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { ListWrap } from '../../platform/replies/encode-items.ts'
import { ANSWER_MAX_BYTES, type ListDeps } from '../../platform/replies/reply-with-list.ts'
import { readTypedFlags } from './read-typed-flags.ts'
import { measureTypedFlags } from './typed-flag-queries.ts'

/** A text of all flags of an environment. */
export interface FlagsText {
  /** The subject of a refusal, in the plural: "The types". */
  readonly name: string
  /** The way to get the same without the limit, or less of it. */
  readonly advice: string
  readonly wrap: ListWrap
  readonly separator: string
  /** Returns the part of a flag; null where it is left out. */
  readonly partOf: (flag: TypedFlag) => string | null
}

interface WrittenFlags {
  readonly bytes: Buffer
  readonly lease: Lease
}

/** The parts that are joined: many small ones cost more memory than their text. */
const PIECE_LENGTH = 256 * 1024
/** The memory beside the text, for the page that is read, and the copies of the text while it is joined. */
const PAGE_BYTES = 4 * 1024 * 1024
const COPIES_WHILE_BUILT = 2
const BYTES_PER_MB = 1024 * 1024

/**
 * Writes the flags of an environment as one text, in turns and with a lease of the memory for it. Refuses
 * with `invalid` where it is larger than one response may be: never a part.
 */
export async function writeFlags(
  { budget, db }: ListDeps,
  environment_id: string,
  { advice, name, partOf, separator, wrap }: FlagsText,
): Promise<WrittenFlags> {
  const read = await measureTypedFlags(db, environment_id)
  const lease = await budget.take(COPIES_WHILE_BUILT * Math.min(read, ANSWER_MAX_BYTES) + PAGE_BYTES)
  const text = createText()
  let between = ''
  try {
    text.add(wrap.before)
    for await (const flag of readTypedFlags(db, environment_id)) {
      const part = partOf(flag)
      if (part === null) continue
      text.add(between + part)
      between = separator
    }
    text.add(wrap.after)
    if (text.bytes() > ANSWER_MAX_BYTES) throw tooLarge(name, text.bytes(), advice)
    const bytes = text.take()
    lease.shrinkTo(bytes.length)
    return { bytes, lease }
  } catch (error) {
    lease.release()
    throw error
  }
}

/** Collects a text in pieces. One that is too large is only counted. */
function createText() {
  let pieces: Buffer[] = []
  let recent = ''
  let bytes = 0
  const close = (): void => {
    pieces.push(Buffer.from(recent))
    recent = ''
  }
  return {
    bytes: () => bytes,
    add(part: string): void {
      bytes += Buffer.byteLength(part)
      if (bytes > ANSWER_MAX_BYTES) {
        pieces = []
        recent = ''
        return
      }
      recent += part
      if (recent.length > PIECE_LENGTH) close()
    },
    take(): Buffer {
      close()
      return Buffer.concat(pieces)
    },
  }
}

const tooLarge = (name: string, bytes: number, advice: string) =>
  invalid([
    {
      path: '',
      message:
        `${name} of this environment are ${(bytes / BYTES_PER_MB).toFixed(1)} MiB; ` +
        `one response has at most ${ANSWER_MAX_BYTES / BYTES_PER_MB} MiB. ${advice}`,
    },
  ])
