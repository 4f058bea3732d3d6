import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** What `GET /flags/snapshot` answers: the flags as JSON, ready to send. */
export interface SnapshotBody {
  readonly identity: Buffer
  /** A hash of the content: it stays true when a restored backup gives a revision out again. */
  readonly etag: string
  /** Compressed once, when first asked for. */
  gzip(): Promise<Buffer>
  /** What `gzip` has made, once it has. */
  readonly gzipped: Buffer | null
}

/** `flags` are the JSON of each, which is copied. */
export function createSnapshotBody(flags: readonly Buffer[]): SnapshotBody {
  // Buffers and not one text: a text has a longest length.
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
