import type { StoredChange } from '../../changes/index.ts'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { type Bootstrap, createBootstrap } from './bootstrap.ts'
import { createClientView, type SentChange } from './client-view.ts'
import { createFlagLines, type FlagAudience } from './flag-lines.ts'
import { createFlagOrder } from './flag-order.ts'
import { createSnapshotBodies, type SnapshotBody } from './snapshot-body.ts'
import { connectedFrame, frameEnd, type KeyAudience, readyFrame, type SessionAudience } from './sse-frame.ts'
import { type Coding, compressBootstrap } from './stream-coding.ts'

/**
 * The expanded flags of one environment at one revision, as this instance serves them, with their encodings:
 * the bootstrap of a stream and the body of the snapshot, each encoded once for each revision and audience.
 * Both are encoded in turns, from the flags of the revision at which they were requested.
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
  sessionUpserts(audience: SessionAudience, coding: Coding): Bootstrap
  /** Returns the whole bootstrap of a key stream: connected, one UPSERT for each flag, ready. */
  bootstrap(audience: KeyAudience, coding: Coding): Bootstrap
  /** Returns the body of the snapshot at the present revision or a later one. */
  body(audience: KeyAudience): Promise<SnapshotBody>
  /** Returns the body of the present revision if it is known. */
  knownBody(audience: KeyAudience): SnapshotBody | undefined
  /** Forgets the encodings of large environments that nothing has requested since the last call. */
  forgetUnused(): void
}

export interface SnapshotSource {
  readonly environment_id: string
  readonly project_id: string
  readonly revision: number
  readonly flags: readonly WireFlag[]
}

/**
 * The encodings that are kept while nothing requests them. Larger ones take as much memory as their flags.
 */
const KEPT_MAX_BYTES = 16 * 1024 * 1024

export function createEnvironmentSnapshot(source: SnapshotSource): EnvironmentSnapshot {
  const { environment_id, project_id } = source
  const flags = new Map(source.flags.map((flag) => [flag.key, flag]))
  const order = createFlagOrder(flags)
  const lines = createFlagLines(environment_id)
  const bootstraps = new Map<string, Bootstrap>()
  const bodies = createSnapshotBodies({ lines, revision: () => revision, flagsOf: sentTo })
  const view = createClientView(flags)
  let revision = source.revision
  let isUsed = true

  function sentTo(audience: FlagAudience): readonly WireFlag[] {
    const all = order.flags()
    return audience === 'client' && view.hiddenKeys.size > 0 ? all.filter(view.sends) : all
  }

  function bootstrapOf(audience: FlagAudience, coding: Coding, before: string, withReady: boolean) {
    isUsed = true
    const name = `${audience} ${coding}`
    const known = bootstraps.get(name)
    if (known) return known
    const sent = sentTo(audience)
    const after = withReady ? readyFrame(sent.length) : ''
    const flagEnd = frameEnd(audience, revision)
    const chunked = coding === 'chunked'
    const encoded = createBootstrap({ audience, chunked, flags: sent, lines, before, after, flagEnd })
    const made = coding === 'gzip' ? compressBootstrap(encoded) : encoded
    bootstraps.set(name, made)
    return made
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
      order.follow(change.flag_key)
      bootstraps.clear()
      bodies.forgetAll()
      revision = change.revision
      const toClients = view.follow(change, before, flags.get(change.flag_key))
      return toClients ? { ...change, toClients } : change
    },
    sessionUpserts: (audience, coding) => bootstrapOf(audience, coding, '', false),
    bootstrap: (audience, coding) => bootstrapOf(audience, coding, connectedFrame(environment_id), true),
    body(audience) {
      isUsed = true
      return bodies.get(audience)
    },
    knownBody(audience) {
      isUsed = true
      return bodies.peek(audience)
    },
    forgetUnused() {
      if (!isUsed && lines.encodedBytes() > KEPT_MAX_BYTES) {
        bootstraps.clear()
        lines.forgetAll()
        bodies.forgetBytes()
      }
      isUsed = false
    },
  }
}
