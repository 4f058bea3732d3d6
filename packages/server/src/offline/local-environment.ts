import { deepEqual } from '@burgee/evaluation'
import type { StoredChange } from '../changes/index.ts'
import type { ProblemDetail } from '../kernel/refusal.ts'
import { systemClock } from '../platform/clock.ts'
import { wholeBootstrap } from '../serving/stream/bootstrap.ts'
import { createBroadcast } from '../serving/stream/broadcast.ts'
import type { SentChange } from '../serving/stream/client-view.ts'
import { createEnvironmentSnapshot } from '../serving/stream/environment-snapshot.ts'
import { createEvaluationSets } from '../serving/stream/evaluation-sets.ts'
import type { SnapshotBody } from '../serving/stream/snapshot-body.ts'
import type { KeyAudience } from '../serving/stream/sse-frame.ts'
import { type CompiledFlag, compileFiles, type FlagFiles, findSchemaProblems } from './compile-files.ts'
import { createLocalOfrep, type LocalReply, type LocalRequest } from './local-ofrep.ts'

/** The id of the environment: SDKs address their reports to it. */
const ENVIRONMENT_ID = '00000000-0000-4000-8000-000000000000'

/** The result of new files. With problems nothing was changed. */
type ReplaceResult =
  | { readonly problems: readonly ProblemDetail[] }
  | { readonly changed: readonly string[]; readonly flagCount: number }

/** An environment whose flags come from files, with what SDKs receive of it (docs/reference/streaming.md). */
export interface LocalEnvironment {
  readonly id: string
  readonly revision: number
  /** Gives the environment the flags of files, all or nothing. */
  replace(files: FlagFiles): Promise<ReplaceResult>
  /** Returns the first part of a stream: connected, one update for each flag, ready. */
  bootstrap(): Buffer
  body(): Promise<SnapshotBody>
  /** Calls the listener with the bytes of each update. Returns a function that removes it. */
  onUpdate(listener: (bytes: Buffer) => void): () => void
  /** Responds to an evaluation of OFREP (docs/ofrep.md). */
  evaluate(request: LocalRequest): Promise<LocalReply>
  /** Returns the event that asks clients of OFREP to evaluate again. */
  notice(): Buffer
}

/** Creates an environment without flags. `audience` is the kind of key that its callers count as having. */
export function createLocalEnvironment(audience: KeyAudience): LocalEnvironment {
  const snapshot = createEnvironmentSnapshot({
    ...{ environment_id: ENVIRONMENT_ID, project_id: ENVIRONMENT_ID, revision: 1, flags: [] },
  })
  const sets = createEvaluationSets({
    snapshots: { get: async () => snapshot, peek: () => snapshot },
    clock: systemClock,
  })
  const numbers = new Set<string>()
  const listeners = new Set<(bytes: Buffer) => void>()
  const ofrep = createLocalOfrep({ sets, audience, environment_id: ENVIRONMENT_ID, numbers })

  function publish(changes: readonly StoredChange[]): void {
    const sent: SentChange[] = changes.map((change) => snapshot.apply(change))
    sets.apply(ENVIRONMENT_ID, changes)
    const bytes = createBroadcast(ENVIRONMENT_ID, sent).bytesFor({ audience, coding: 'plain' }, 0)
    for (const listener of listeners) listener(bytes)
  }

  return {
    id: ENVIRONMENT_ID,
    get revision() {
      return snapshot.revision
    },
    async replace(files) {
      const problems = await findSchemaProblems(files)
      if (problems.length > 0) return { problems }
      const compiled = compileFiles(files, problems)
      if (problems.length > 0) return { problems }
      const changes = findChanges(snapshot, compiled)
      numbers.clear()
      for (const { flag, isNumber } of compiled) if (isNumber) numbers.add(flag.key)
      if (changes.length > 0) publish(changes)
      return { changed: changes.map(({ flag_key }) => flag_key), flagCount: compiled.length }
    },
    bootstrap: () => wholeBootstrap(snapshot.bootstrap(audience, 'plain')),
    body: () => snapshot.body(audience),
    onUpdate(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    evaluate: ofrep.evaluate,
    notice: () => ofrep.notice(snapshot.revision),
  }
}

/** Returns the changes that turn the flags of the snapshot into the compiled ones, each with a revision. */
function findChanges(
  snapshot: ReturnType<typeof createEnvironmentSnapshot>,
  compiled: readonly CompiledFlag[],
): StoredChange[] {
  const wanted = new Set(compiled.map(({ flag }) => flag.key))
  const gone = [...snapshot.keys()].filter((key) => !wanted.has(key))
  const changed = compiled.filter(({ flag }) => {
    const before = snapshot.flag(flag.key)
    return !before || !deepEqual({ ...before, revision: flag.revision }, flag)
  })
  let { revision } = snapshot
  return [
    ...gone.map((flag_key): StoredChange => ({ kind: 'delete', flag_key, revision: ++revision })),
    ...changed.map(({ flag }): StoredChange => {
      const next = ++revision
      return {
        ...{ kind: 'upsert', flag_key: flag.key, revision: next },
        flag: { ...flag, revision: next },
      }
    }),
  ]
}
