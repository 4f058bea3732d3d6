import type { WireFlag } from '../../kernel/wire-flag.ts'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { FlagAudience, FlagLines } from './flag-lines.ts'
import { toChunk } from './sse-frame.ts'

/**
 * The first part of a stream, in pieces that all streams of a revision share. Pieces are encoded as they are
 * read: an environment of 200 MB takes seconds to encode, which no stream may take in one turn.
 */
export interface Bootstrap {
  /** Returns whether a piece can be read without encoding. */
  isReady(index: number): boolean
  /** Encodes the next piece for `piece`. Rejects where a flag has no encoding. */
  prepare(index: number): Promise<void>
  /**
   * Returns a piece, encoded on first use; undefined after the last one. Throws where a flag has no
   * encoding.
   */
  piece(index: number): Buffer | undefined
}

/** A bootstrap for one reader, which copies it. */
export interface OwnBootstrap extends Bootstrap {
  /** Lets go of a piece that was read. It cannot be read again. */
  release(index: number): void
}

interface BootstrapParts {
  readonly audience: FlagAudience
  /** True for HTTP/1.1 readers: the pieces are then HTTP chunks, or parts of one. */
  readonly chunked: boolean
  /** The flags at the revision, in their order. */
  readonly flags: readonly WireFlag[]
  readonly lines: FlagLines
  /** The text before the flags, and that after them. */
  readonly before: string
  readonly after: string
  /** The text after each flag. */
  readonly flagEnd: string
}

/**
 * The size of a piece: smaller flags are joined until they have it, and larger ones are not copied: their
 * pieces are parts of their lines.
 */
const PIECE_BYTES = 64 * 1024

export function createBootstrap(parts: BootstrapParts): OwnBootstrap {
  const pieces: Buffer[] = []
  const steps = encodeInSteps(parts, pieces)
  let isDone = false
  let failure: unknown

  function encodeMore(): void {
    try {
      isDone = steps.next().done === true
    } catch (error) {
      failure = error
    }
  }

  function piece(index: number): Buffer | undefined {
    while (!isDone && failure === undefined && index >= pieces.length) encodeMore()
    // To all its readers, none of which may take a part for the whole.
    if (failure !== undefined) throw failure
    return pieces[index]
  }

  return {
    isReady: (index) => failure === undefined && (isDone || index < pieces.length),
    async prepare(index) {
      await shareTurn()
      piece(index)
    },
    piece,
    release(index) {
      pieces[index] = NOTHING
    },
  }
}

/** Adds the pieces, and yields after each step, which encodes some small flags or a large one. */
function* encodeInSteps(
  { after, audience, before, chunked, flagEnd, flags, lines }: BootstrapParts,
  pieces: Buffer[],
): Generator<void, void> {
  const end = Buffer.from(flagEnd)
  /** The frames of small flags, and what is sent before them: the rest of the chunk of a large flag. */
  let small: Buffer[] = [Buffer.from(before)]
  let rest: Buffer[] = []
  let bytes = before.length

  function close(next: Buffer = NOTHING): void {
    const frames = Buffer.concat(small)
    const piece = Buffer.concat([...rest, chunked ? toChunk(frames) : frames, next])
    if (piece.length > 0) pieces.push(piece)
    small = []
    rest = []
    bytes = 0
  }

  for (const flag of flags) {
    const own = lines.of(audience, flag)
    if (own.length < PIECE_BYTES) {
      small.push(own, end)
      bytes += own.length + end.length
      if (bytes < PIECE_BYTES) continue
      close()
    } else {
      close(chunked ? Buffer.from(`${(own.length + end.length).toString(16)}\r\n`) : NOTHING)
      for (let at = 0; at < own.length; at += PIECE_BYTES) pieces.push(own.subarray(at, at + PIECE_BYTES))
      rest = chunked ? [end, CHUNK_END] : [end]
    }
    yield
  }
  small.push(Buffer.from(after))
  close()
}
const NOTHING = Buffer.alloc(0)
const CHUNK_END = Buffer.from('\r\n')

/** Returns all pieces as one text. For few flags: it encodes them in one turn. */
export function wholeBootstrap(bootstrap: Bootstrap): Buffer {
  const pieces: Buffer[] = []
  for (let index = 0; ; index += 1) {
    const piece = bootstrap.piece(index)
    if (!piece) return Buffer.concat(pieces)
    pieces.push(piece)
  }
}
