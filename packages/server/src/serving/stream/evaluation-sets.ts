import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { StoredChange } from '../../changes/index.ts'
import type { EvaluationSet, EvaluationSets } from '../../kernel/evaluation-set.ts'
import type { Clock } from '../../platform/clock.ts'
import { inTurns } from '../../platform/concurrency/turns.ts'
import type { EnvironmentSnapshot } from './environment-snapshot.ts'
import { createRevisionWaiters } from './revision-waiters.ts'
import type { Snapshots } from './snapshots.ts'

/** The sets, and how the stream keeps them in step with what it delivers. */
export interface KeptEvaluationSets extends EvaluationSets {
  /** Applies changes that the snapshot has applied, in the same turn. */
  apply(environment_id: string, changes: readonly StoredChange[]): void
  drop(environment_id: string): void
  /** Drops the sets that nothing has evaluated during this time. */
  dropUnused(ms: number): void
  close(): void
}

interface Kept extends EvaluationSet {
  readonly flags: FlagSet
  readonly snapshot: EnvironmentSnapshot
  usedAtMs: number
  forgetKeys(): void
}

interface SetsDeps {
  readonly snapshots: Pick<Snapshots, 'get' | 'peek'>
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/**
 * The flags of all compiled sets: some 500 MB. Beyond it the sets that were used longest ago are dropped, and
 * compiled again when they are needed.
 */
const FLAGS_MAX = 200_000

export function createEvaluationSets(
  { clock, snapshots }: SetsDeps,
  { flagsMax = FLAGS_MAX }: { readonly flagsMax?: number } = {},
): KeptEvaluationSets {
  /** The sets by environment, the one that was used last at the end. */
  const sets = new Map<string, Kept>()
  const compiling = new Map<string, Promise<Kept | null>>()
  /** The sets that are being compiled. */
  const partial = new Map<string, Kept>()
  const waiters = createRevisionWaiters()

  function use(set: Kept): Kept {
    set.usedAtMs = clock.monotonicMs()
    return set
  }

  function peek(environment_id: string): Kept | undefined {
    const set = sets.get(environment_id)
    // The snapshot is asked too, because it is dropped when nothing uses it.
    return set && snapshots.peek(environment_id) === set.snapshot ? use(set) : undefined
  }

  async function compile(environment_id: string): Promise<Kept | null> {
    for (;;) {
      const snapshot = await snapshots.get(environment_id)
      if (!snapshot) return null
      const set = toSet(snapshot, clock.monotonicMs())
      // Registered first: a change that arrives meanwhile is applied to what is compiled by then.
      partial.set(environment_id, set)
      await inTurns(compileAll(set))
      if (partial.get(environment_id) !== set) continue
      partial.delete(environment_id)
      sets.delete(environment_id)
      sets.set(environment_id, set)
      dropOldest(environment_id)
      return set
    }
  }

  function dropOldest(keep: string): void {
    let flags = [...sets.values()].reduce((sum, set) => sum + set.flags.size, 0)
    const oldest = [...sets.values()].sort((one, other) => one.usedAtMs - other.usedAtMs)
    for (const { environment_id, flags: own } of oldest) {
      if (flags <= flagsMax) return
      if (environment_id === keep) continue
      flags -= own.size
      sets.delete(environment_id)
    }
  }

  return {
    peek,
    async get(environment_id) {
      const known = peek(environment_id)
      if (known) return known
      const running = compiling.get(environment_id)
      if (running !== undefined) return running
      const started = compile(environment_id).finally(() => compiling.delete(environment_id))
      compiling.set(environment_id, started)
      return started
    },
    whenReached: (set, revision) => waiters.wait(set, revision),
    apply(environment_id, changes) {
      for (const set of [sets.get(environment_id), partial.get(environment_id)]) {
        if (set) for (const change of changes) patch(set, change)
      }
      waiters.reached(environment_id)
    },
    drop(environment_id) {
      sets.delete(environment_id)
      partial.delete(environment_id)
    },
    dropUnused(ms) {
      const before = clock.monotonicMs() - ms
      for (const [environment_id, { usedAtMs }] of sets) if (usedAtMs < before) sets.delete(environment_id)
    },
    close: waiters.close,
  }
}

function toSet(snapshot: EnvironmentSnapshot, usedAtMs: number): Kept {
  const flags = createFlagSet()
  let server: readonly string[] | null = null
  let client: readonly string[] | null = null
  return {
    environment_id: snapshot.environment_id,
    project_id: snapshot.project_id,
    get revision() {
      return snapshot.revision
    },
    flags,
    snapshot,
    usedAtMs,
    keys(audience) {
      server ??= [...snapshot.keys()].sort(byCodeUnit)
      if (audience === 'server') return server
      client ??= server.filter((key) => !snapshot.hiddenKeys.has(key))
      return client
    },
    flag(key, audience) {
      return audience === 'client' && snapshot.hiddenKeys.has(key) ? undefined : snapshot.flag(key)
    },
    forgetKeys() {
      server = null
      client = null
    },
  }
}

const byCodeUnit = (one: string, other: string): number => (one < other ? -1 : 1)

/** Compiles each flag as it is in that turn. */
function* compileAll({ flags, snapshot }: Kept): Generator<void, void> {
  for (const key of [...snapshot.keys()]) {
    const flag = snapshot.flag(key)
    if (flag) flags.upsert(flag)
    yield
  }
}

function patch(set: Kept, change: StoredChange): void {
  if (change.kind === 'none') return
  if (change.kind === 'upsert') set.flags.upsert(change.flag)
  else set.flags.remove(change.flag_key)
  set.forgetKeys()
}
