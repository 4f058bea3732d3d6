import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { Bootstrap, OwnBootstrap } from './bootstrap.ts'
import { toChunk } from './sse-frame.ts'

/**
 * The coding of the bytes of a stream: `plain` for HTTP/1.0, `chunked` for HTTP/1.1, and `gzip` in chunks for
 * callers that send `X-Burgee-Stream: gzip` (docs/reference/streaming.md, "Compression").
 */
export type Coding = 'plain' | 'chunked' | 'gzip'

export const STREAM_HEADER = 'x-burgee-stream'

/**
 * The head of a gzip member (RFC 1952, section 2.3): no name, no time, an unknown system. The member has no
 * end: a stream ends with its connection.
 */
export const GZIP_HEAD = toChunk(Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0xff]))

/**
 * Every part is compressed by itself and ends at a byte (RFC 7692 calls it a sync flush), so that all streams
 * share the bytes, and no stream needs a compressor of its own.
 */
const PART: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH }
/** Compressing more would hold the event loop: such parts are stored, which is as quick as copying. */
const COMPRESSED_MAX_BYTES = 64 * 1024
const STORED: ZlibOptions = { ...PART, level: constants.Z_NO_COMPRESSION }

/** The frames that are stored: compressing saves little of them, and costs the state of a compressor. */
const UNCOMPRESSED_MAX_BYTES = 48
/** The bytes before what is stored (RFC 1951, section 3.2.4): the kind, the length and its complement. */
const STORED_HEAD_BYTES = 5
const LENGTH_MASK = 0xffff

/** Encodes frames as a part of a stream. */
export function encodeFrames(coding: Coding, frames: Buffer): Buffer {
  if (coding === 'plain' || frames.length === 0) return frames
  if (coding === 'chunked') return toChunk(frames)
  if (frames.length <= UNCOMPRESSED_MAX_BYTES) return toChunk(storeFrames(frames))
  return toChunk(deflateRawSync(frames, frames.length > COMPRESSED_MAX_BYTES ? STORED : PART))
}

function storeFrames(frames: Buffer): Buffer {
  const head = Buffer.alloc(STORED_HEAD_BYTES)
  head.writeUInt16LE(frames.length, 1)
  head.writeUInt16LE(frames.length ^ LENGTH_MASK, 3)
  return Buffer.concat([head, frames])
}

/** Encodes frames that all streams receive, once for each coding. */
export function encodeForAll(frames: string): Readonly<Record<Coding, Buffer>> {
  const bytes = Buffer.from(frames)
  return { plain: bytes, chunked: encodeFrames('chunked', bytes), gzip: encodeFrames('gzip', bytes) }
}

/**
 * Returns a bootstrap with the pieces of a plain one, compressed off the main thread on first use. The plain
 * pieces, which are many times larger, are released one by one.
 */
export function compressBootstrap(plain: OwnBootstrap): Bootstrap {
  const pieces: Buffer[] = []
  let source: OwnBootstrap | null = plain
  let running: Promise<void> | null = null

  async function compressNext(from: OwnBootstrap): Promise<void> {
    const at = pieces.length
    if (!from.isReady(at)) await shareTurn()
    const piece = from.piece(at)
    if (!piece) {
      source = null
      return
    }
    const compressed = await compressPart(piece)
    from.release(at)
    pieces.push(toChunk(compressed))
  }

  return {
    isReady: (index) => source === null || index < pieces.length,
    async prepare() {
      if (source === null) return
      running ??= compressNext(source).finally(() => {
        running = null
      })
      await running
    },
    piece: (index) => pieces[index],
  }
}

const compressPart = (bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    deflateRaw(bytes, PART, (error, compressed) => (error ? reject(error) : resolve(compressed)))
  })
