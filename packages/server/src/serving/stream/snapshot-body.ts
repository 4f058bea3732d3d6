import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { inTurns, shareTurn } from '../../platform/concurrency/turns.ts'
import type { FlagLines } from './flag-lines.ts'
import type { KeyAudience } from './sse-frame.ts'

/** The body of `GET /flags/snapshot`: the flags as JSON, ready to send. */
export interface SnapshotBody {
  readonly revision: number
  /** A hash of the content. It stays correct when a restored backup issues a revision again. */
  readonly etag: string
  readonly length: number
  /** The body of few bytes; null for a larger one, which is sent in pieces. */
  readonly identity: Buffer | null
  /** Returns the body in pieces, encoded in turns where that is needed. */
  pieces(): AsyncIterable<Buffer>
  /** Returns the compressed body, which is compressed once, on first use. */
  gzip(): Promise<Compressed>
  /** The compressed body of few bytes once it exists; null before, and for a larger one. */
  readonly gzipped: Buffer | null
}

interface Compressed {
  readonly pieces: readonly Buffer[]
  readonly length: number
}

export interface SnapshotBodies {
  /** Returns the body at the present revision or a later one. Each is made once, one after another. */
  get(audience: KeyAudience): Promise<SnapshotBody>
  /** Returns the body of the present revision if it is known. */
  peek(audience: KeyAudience): SnapshotBody | undefined
  /** Forgets all bodies, after a change. */
  forgetAll(): void
  /** Forgets what can be made again. The hashes stay, so that clients with the present state get a 304. */
  forgetBytes(): void
}

interface BodiesDeps {
  readonly lines: FlagLines
  readonly revision: () => number
  /** Returns the present flags of an audience in their order. */
  readonly flagsOf: (audience: KeyAudience) => readonly WireFlag[]
}

interface Kept extends SnapshotBody {
  forgetBytes(): void
}

interface Making {
  readonly revision: number
  readonly made: Promise<Kept>
  next: Promise<Kept> | null
}

/** The size up to which a body is one buffer, which is sent with one system call. */
const WHOLE_MAX_BYTES = 1024 * 1024
const PIECE_BYTES = 64 * 1024

export function createSnapshotBodies({ flagsOf, lines, revision }: BodiesDeps): SnapshotBodies {
  const kept = new Map<KeyAudience, Kept>()
  const making = new Map<KeyAudience, Making>()

  function peek(audience: KeyAudience): Kept | undefined {
    const known = kept.get(audience)
    return known?.revision === revision() ? known : undefined
  }

  function get(audience: KeyAudience): Promise<Kept> {
    const known = peek(audience)
    if (known) return Promise.resolve(known)
    const running = making.get(audience)
    if (!running) return start(audience)
    if (running.revision === revision()) return running.made
    // The flags have changed meanwhile: all who ask from now on share the next body.
    const again = () => get(audience)
    running.next ??= running.made.then(again, again)
    return running.next
  }

  function start(audience: KeyAudience): Promise<Kept> {
    const present = revision()
    const made = makeBody(lines, audience, { revision: present, flags: flagsOf(audience) })
      .then((body) => {
        if (body.revision === revision()) kept.set(audience, body)
        return body
      })
      .finally(() => making.delete(audience))
    making.set(audience, { revision: present, made, next: null })
    return made
  }

  return {
    get,
    peek,
    forgetAll: () => kept.clear(),
    forgetBytes() {
      for (const body of kept.values()) body.forgetBytes()
    },
  }
}

/** Encodes and hashes the flags in turns. */
async function makeBody(
  lines: FlagLines,
  audience: KeyAudience,
  { flags, revision }: { readonly revision: number; readonly flags: readonly WireFlag[] },
): Promise<Kept> {
  const { etag, length } = await inTurns(hashInSteps(lines, audience, flags))
  const pieces = () => piecesOf(lines, audience, flags)
  const isSmall = length <= WHOLE_MAX_BYTES
  const identity = isSmall ? Buffer.concat([...wholePieces(lines, audience, flags)]) : null
  let compressed: Promise<Compressed> | null = null
  let gzipped: Buffer | null = null
  return {
    ...{ revision, etag, length, identity, pieces },
    gzip() {
      compressed ??= (identity ? compress(identity).then(onlyPiece) : compressPieces(pieces())).catch(
        (error: unknown) => {
          compressed = null
          throw error
        },
      )
      return compressed
    },
    get gzipped() {
      return gzipped
    },
    forgetBytes() {
      if (!isSmall) compressed = null
    },
  }

  function onlyPiece(bytes: Buffer): Compressed {
    gzipped = bytes
    return { pieces: [bytes], length: bytes.length }
  }
}
const compress = promisify<Buffer, Buffer>(gzip)

/** The flags of few bytes that are hashed in a step. */
const FLAGS_A_STEP = 20

function* hashInSteps(
  lines: FlagLines,
  audience: KeyAudience,
  flags: readonly WireFlag[],
): Generator<void, { readonly etag: string; readonly length: number }> {
  const hash = createHash('sha256')
  let length = 0
  let hashed = 0
  const add = (bytes: Buffer): void => {
    hash.update(bytes)
    length += bytes.length
    hashed += bytes.length
  }
  add(OPEN)
  for (const [index, flag] of flags.entries()) {
    if (index > 0) add(COMMA)
    add(lines.jsonOf(audience, flag))
    if (index % FLAGS_A_STEP === 0 || hashed > PIECE_BYTES) {
      hashed = 0
      yield
    }
  }
  add(CLOSE)
  return { etag: `"${hash.digest('base64url').slice(0, ETAG_LENGTH)}"`, length }
}

function* wholePieces(
  lines: FlagLines,
  audience: KeyAudience,
  flags: readonly WireFlag[],
): Generator<Buffer> {
  yield OPEN
  for (const [index, flag] of flags.entries()) {
    if (index > 0) yield COMMA
    yield lines.jsonOf(audience, flag)
  }
  yield CLOSE
}

/** Returns the body in pieces of some 64 KiB; those of a large flag are parts of its lines. */
async function* piecesOf(
  lines: FlagLines,
  audience: KeyAudience,
  flags: readonly WireFlag[],
): AsyncGenerator<Buffer> {
  let small: Buffer[] = [OPEN]
  let bytes = 0
  for (const [index, flag] of flags.entries()) {
    if (!lines.has(audience, flag)) await shareTurn()
    const json = lines.jsonOf(audience, flag)
    if (index > 0) small.push(COMMA)
    if (json.length < PIECE_BYTES) {
      small.push(json)
      bytes += json.length
      if (bytes < PIECE_BYTES) continue
      yield Buffer.concat(small)
    } else {
      yield Buffer.concat(small)
      for (let at = 0; at < json.length; at += PIECE_BYTES) yield json.subarray(at, at + PIECE_BYTES)
    }
    small = []
    bytes = 0
  }
  yield Buffer.concat([...small, CLOSE])
}

/** Compresses pieces off the main thread. */
async function compressPieces(pieces: AsyncIterable<Buffer>): Promise<Compressed> {
  const compressed: Buffer[] = []
  let length = 0
  await pipeline(pieces, createGzip({ chunkSize: PIECE_BYTES }), async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) {
      compressed.push(piece)
      length += piece.length
    }
  })
  return { pieces: compressed, length }
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')
const ETAG_LENGTH = 22
