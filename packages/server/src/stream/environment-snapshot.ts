import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { StoredChange } from '../changes/index.ts'
import { toClientFlag, type WireFlag } from '../kernel/wire-flag.ts'
import { type Audience, connectedFrame, frameEnd, readyFrame, toChunk, upsertLines } from './sse-frame.ts'

/** What `GET /flags/snapshot` answers: the flags as JSON, ready to send. */
interface SnapshotBody {
  readonly identity: Buffer
  readonly etag: string
  /** Compressed once, when first asked for. */
  gzip(): Promise<Buffer>
}

/**
 * The expanded flags of one environment at one revision, as this instance serves them, and what is made of them: the
 * bootstrap of a stream and the snapshot's body, each encoded once per revision and audience.
 */
export interface EnvironmentSnapshot {
  readonly environment_id: string
  readonly project_id: string
  readonly revision: number
  readonly flag_count: number
  flags(): Iterable<WireFlag>
  /** Takes the next change in; the caller guarantees the order. */
  apply(change: StoredChange): void
  /** UPSERT frames of all flags, without the blocks around them (a session's bootstrap joins several). */
  upserts(audience: Audience): Buffer
  /** A key stream's whole bootstrap: connected, one UPSERT a flag, ready; as one HTTP chunk where it is `chunked`. */
  bootstrap(audience: 'server' | 'client', chunked: boolean): Buffer
  body(audience: 'server' | 'client'): SnapshotBody
}

export interface SnapshotSource {
  readonly environment_id: string
  readonly project_id: string
  readonly revision: number
  readonly flags: readonly WireFlag[]
}

export function createEnvironmentSnapshot(source: SnapshotSource): EnvironmentSnapshot {
  const { environment_id, project_id } = source
  const flags = new Map(source.flags.map((flag) => [flag.key, flag]))
  const lines = { server: new Map<string, Buffer>(), client: new Map<string, Buffer>() }
  const made = new Map<string, Buffer | SnapshotBody>()
  let revision = source.revision

  const once = <T extends Buffer | SnapshotBody>(name: string, make: () => T): T => {
    const known = made.get(name) as T | undefined
    const value = known ?? make()
    if (!known) made.set(name, value)
    return value
  }

  const seenBy = (audience: Audience, flag: WireFlag): object =>
    audience === 'client' ? toClientFlag(flag) : flag

  const flagLines = (audience: Audience, flag: WireFlag): Buffer => {
    const cache = audience === 'client' ? lines.client : lines.server
    const known = cache.get(flag.key)
    const encoded = known ?? Buffer.from(upsertLines(environment_id, seenBy(audience, flag)))
    if (!known) cache.set(flag.key, encoded)
    return encoded
  }

  const upserts = (audience: Audience): Buffer => {
    const end = Buffer.from(frameEnd(audience, revision))
    return Buffer.concat([...flags.values()].flatMap((flag) => [flagLines(audience, flag), end]))
  }

  return {
    environment_id,
    project_id,
    get revision() {
      return revision
    },
    get flag_count() {
      return flags.size
    },
    flags: () => flags.values(),
    apply(change) {
      if (change.kind === 'upsert') flags.set(change.flag_key, change.flag)
      if (change.kind === 'delete') flags.delete(change.flag_key)
      lines.server.delete(change.flag_key)
      lines.client.delete(change.flag_key)
      made.clear()
      revision = change.revision
    },
    upserts: (audience) => once(`upserts ${audience}`, () => upserts(audience)),
    bootstrap: (audience, chunked) =>
      once(`bootstrap ${audience} ${chunked}`, () => {
        const connected = Buffer.from(connectedFrame(environment_id))
        const ready = Buffer.from(readyFrame(flags.size))
        const bytes = Buffer.concat([connected, upserts(audience), ready])
        return chunked ? toChunk(bytes) : bytes
      }),
    body: (audience) =>
      once(`body ${audience}`, () => encodeBody([...flags.values()].map((flag) => seenBy(audience, flag)))),
  }
}

/** The ETag is a hash of the content, so it stays true when a restored backup gives a revision out again. */
function encodeBody(flags: readonly object[]): SnapshotBody {
  const identity = Buffer.from(JSON.stringify(flags))
  const digest = createHash('sha256').update(identity).digest('base64url').slice(0, ETAG_LENGTH)
  let compressed: Promise<Buffer> | undefined
  return {
    identity,
    etag: `"${digest}"`,
    gzip() {
      compressed ??= compress(identity)
      return compressed
    },
  }
}
const ETAG_LENGTH = 22
const compress = promisify<Buffer, Buffer>(gzip)
