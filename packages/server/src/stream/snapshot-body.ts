import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The body of `GET /flags/snapshot`: the flags as JSON, ready to send. */
export interface SnapshotBody {
  readonly identity: Buffer
  /** A hash of the content. It stays correct when a restored backup issues a revision again. */
  readonly etag: string
  /** Returns the compressed body, which is compressed once, on first use. */
  gzip(): Promise<Buffer>
  /** The compressed body once it exists; null before. */
  readonly gzipped: Buffer | null
}

/** Creates the body. `flags` are the JSON of each flag, which is copied. */
export function createSnapshotBody(flags: readonly Buffer[]): SnapshotBody {
  // Buffers instead of one text, because texts have a maximum length.
  const pieces = flags.flatMap((flag, index) => [index === 0 ? OPEN : COMMA, flag])
  const identity = Buffer.concat(flags.length === 0 ? [OPEN, CLOSE] : [...pieces, CLOSE])
  const digest = createHash('sha256').update(identity).digest('base64url').slice(0, ETAG_LENGTH)
  let compressed: Promise<Buffer> | undefined
  let gzipped: Buffer | null = null
  return {
    identity,
    etag: `"${digest}"`,
    gzip() {
      compressed ??= compress(identity).then((bytes) => {
        gzipped = bytes
        return bytes
      })
      return compressed
    },
    get gzipped() {
      return gzipped
    },
  }
}

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')
const ETAG_LENGTH = 22
const compress = promisify<Buffer, Buffer>(gzip)
