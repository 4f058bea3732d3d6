import type { StoredChange } from '../changes/index.ts'
import type { WireFlag } from '../kernel/wire-flag.ts'
import { createClientView, type SentChange } from './client-view.ts'
import { createSnapshotBody, type SnapshotBody } from './snapshot-body.ts'
import {
  connectedFrame,
  flagWithin,
  frameEnd,
  isSession,
  type KeyAudience,
  readyFrame,
  type SessionAudience,
  toChunk,
  upsertLines,
} from './sse-frame.ts'

/**
 * The expanded flags of one environment at one revision, as this instance serves them, with their encodings:
 * the bootstrap of a stream and the body of the snapshot, each encoded once for each revision and audience.
 * Flags are ordered by key, so that every instance produces the same bytes.
 */
export interface EnvironmentSnapshot {
  readonly environment_id: string
  readonly project_id: string
  readonly revision: number
  readonly flagCount: number
  /**
   * The keys of the flags with `client_visible: false`. Stream and snapshot still send client keys those that
   * a visible flag needs.
   */
  readonly hiddenKeys: ReadonlySet<string>
  keys(): Iterable<string>
  /** Returns the flag at the current revision. */
  flag(key: string): WireFlag | undefined
  /** Applies the next change, and returns it as streams send it. The caller guarantees the order. */
  apply(change: StoredChange): SentChange
  /** Returns the UPSERT frames of all flags for a session, without the blocks around them. */
  sessionUpserts(audience: SessionAudience, chunked: boolean): Buffer
  /**
   * Returns the whole bootstrap of a key stream: connected, one UPSERT for each flag, ready; as one HTTP
   * chunk when `chunked`.
   */
  bootstrap(audience: KeyAudience, chunked: boolean): Buffer
  body(audience: KeyAudience): SnapshotBody
}

type FlagAudience = KeyAudience | SessionAudience

export interface SnapshotSource {
  readonly environment_id: string
  readonly project_id: string
  readonly revision: number
  readonly flags: readonly WireFlag[]
}

export function createEnvironmentSnapshot(source: SnapshotSource): EnvironmentSnapshot {
  const { environment_id, project_id } = source
  const flags = new Map(source.flags.map((flag) => [flag.key, flag]))
  const buffers = createOnce<Buffer>()
  const bodies = createOnce<SnapshotBody>()
  const lines = { server: createOnce<Buffer>(), client: createOnce<Buffer>() }
  const view = createClientView(flags)
  let revision = source.revision

  function inOrder(audience: FlagAudience): WireFlag[] {
    const all = [...flags.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    return audience === 'client' && view.hiddenKeys.size > 0 ? all.filter(view.sends) : all
  }

  /** One encoding of each flag serves stream and snapshot: after a change, only one flag is encoded again. */
  const linesOf = (audience: KeyAudience, flag: WireFlag): Buffer =>
    lines[audience].get(flag.key, () => Buffer.from(upsertLines(environment_id, flag, audience)))

  /** Sessions receive what server keys do. Few of them ask for origins, and few flags have some. */
  function linesFor(audience: FlagAudience, flag: WireFlag): Buffer {
    if (!isSession(audience)) return linesOf(audience, flag)
    const isShared = audience === 'session' || flag.origins === undefined
    return isShared ? linesOf('server', flag) : Buffer.from(upsertLines(environment_id, flag, audience))
  }

  function upserts(audience: FlagAudience, sent: readonly WireFlag[]): Buffer {
    const end = Buffer.from(frameEnd(audience, revision))
    return Buffer.concat(sent.flatMap((flag) => [linesFor(audience, flag), end]))
  }

  const body = (audience: KeyAudience): SnapshotBody =>
    createSnapshotBody(inOrder(audience).map((flag) => flagWithin(environment_id, linesOf(audience, flag))))

  function bootstrap(audience: KeyAudience): Buffer {
    const connected = Buffer.from(connectedFrame(environment_id))
    const sent = inOrder(audience)
    return Buffer.concat([connected, upserts(audience, sent), Buffer.from(readyFrame(sent.length))])
  }

  return {
    environment_id,
    project_id,
    get revision() {
      return revision
    },
    get flagCount() {
      return flags.size
    },
    hiddenKeys: view.hiddenKeys,
    keys: () => flags.keys(),
    flag: (key) => flags.get(key),
    apply(change) {
      const before = flags.get(change.flag_key)
      if (change.kind === 'upsert') flags.set(change.flag_key, change.flag)
      if (change.kind === 'delete') flags.delete(change.flag_key)
      lines.server.forget(change.flag_key)
      lines.client.forget(change.flag_key)
      buffers.forgetAll()
      bodies.forgetAll()
      revision = change.revision
      const toClients = view.follow(change, before, flags.get(change.flag_key))
      return toClients ? { ...change, toClients } : change
    },
    sessionUpserts: (audience, chunked) =>
      buffers.get(`${audience} ${chunked}`, () => framed(upserts(audience, inOrder(audience)), chunked)),
    bootstrap: (audience, chunked) =>
      buffers.get(`${audience} ${chunked}`, () => framed(bootstrap(audience), chunked)),
    body: (audience) => bodies.get(audience, () => body(audience)),
  }
}

const framed = (bytes: Buffer, chunked: boolean): Buffer => (chunked ? toChunk(bytes) : bytes)

/** Creates each named value on first use, and again after it was forgotten. */
function createOnce<T>() {
  const made = new Map<string, T>()
  return {
    get(name: string, make: () => T): T {
      const known = made.get(name)
      if (known !== undefined) return known
      const value = make()
      made.set(name, value)
      return value
    },
    forget: (name: string) => made.delete(name),
    forgetAll: () => made.clear(),
  }
}
