import type { Kysely } from 'kysely'
import type { Bus } from '../platform/bus/bus.ts'
import type { Clock } from '../platform/clock.ts'
import { createCoalescedRun } from '../platform/concurrency/coalesced-run.ts'
import { withTimeout } from '../platform/concurrency/with-timeout.ts'
import type { Database } from '../platform/db/tables.ts'
import type { Log } from '../platform/log/log.ts'
import { type CommittedAt, committedBefore, committedNow } from './committed-at.ts'
import { readChanges, readRevisions, type StoredChange } from './queries.ts'

/** The interval of the poll, which finds what the bus lost (docs/reference/streaming.md). */
const POLL_MS = 1000
/** The number of changes that are read at once. Even the largest flags then fit into memory. */
const READ_LIMIT = 100
/** The timeout of a poll, whose connection may be broken. */
const POLL_DEADLINE_MS = 3_000

/**
 * The callbacks of the feed. Each is called synchronously, with changes in the order of revisions and without
 * gaps.
 */
interface ChangefeedListener {
  onChanges(environment_id: string, changes: readonly StoredChange[], committed: CommittedAt): void
  /** Revisions are missing (pruned log, restored backup): copies of the environment must be loaded again. */
  onGap(environment_id: string): void
  /** The environment was deleted. */
  onDeleted(environment_id: string): void
  /** Rights have changed in some instance. */
  onAccessChanged(): void
  /** Groups give people other roles, in some instance. Also called once at the start. */
  onGroupsChanged(): void
}

/**
 * Reads the change log of the environments that this instance serves. Hints make it fast, the poll makes it
 * reliable.
 */
export interface Changefeed {
  follow(environment_id: string, revision: number): void
  unfollow(environment_id: string): void
  /**
   * Receives the changes that this instance has committed, with the time of their write. They are delivered
   * at once when they are next in order, otherwise after those in between were read. Resolves when they were
   * delivered, or when that failed and the poll will recover them.
   */
  committed(environment_id: string, changes: readonly StoredChange[], created_at: string): Promise<void>
  /** Receives a hint that the access revision has grown. */
  hintAccess(): void
  /**
   * Returns when the database last confirmed that nothing was missed, in milliseconds of the monotonic clock.
   */
  confirmedAtMs(): number
  /** Returns the number of known revisions that are not read yet, over all followed environments. */
  revisionsBehind(): number
  accessRevision(): number
  /** Starts polling. Resolves after the first poll, also when it failed. */
  start(listener: ChangefeedListener): Promise<void>
  close(): Promise<void>
}

interface ChangefeedDeps {
  readonly db: Kysely<Database>
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Log
}

interface Followed {
  revision: number
  /** The highest revision that is known to exist. */
  targetRevision: number
  reading: Promise<void> | null
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createChangefeed({ db, bus, clock, log }: ChangefeedDeps): Changefeed {
  const followed = new Map<string, Followed>()
  let listener: ChangefeedListener | undefined
  let access_revision = -1
  let groups_revision = -1
  let confirmedAt = Number.NEGATIVE_INFINITY
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const polls = createCoalescedRun({
    run: () => withTimeout(poll(), POLL_DEADLINE_MS, failForTimeout),
    onError: (err) => log.warn({ err }, 'the revisions could not be read'),
    onRequestedMeanwhile: () => pollSoon(),
  })

  async function readOn(environment_id: string, state: Followed): Promise<void> {
    while (!closed && followed.get(environment_id) === state && state.targetRevision > state.revision) {
      const targetRevision = state.targetRevision
      const { changes, created_at } = await readChanges(db, environment_id, state.revision, READ_LIMIT)
      if (followed.get(environment_id) !== state) return
      if (!isGapless(changes, state.revision)) return resetCopy(environment_id)
      if (created_at === null) {
        // The hint was wrong, or ahead of what is stored: the poll decides. A hint that came meanwhile is
        // kept.
        if (state.targetRevision === targetRevision) state.targetRevision = state.revision
        continue
      }
      deliver(environment_id, state, changes, committedBefore(clock, created_at))
    }
  }

  async function readSafely(environment_id: string, state: Followed): Promise<void> {
    try {
      await readOn(environment_id, state)
    } catch (err) {
      log.warn({ err, environment_id }, 'the change log could not be read')
    }
    // Here and not in a later microtask: a hint that arrives in between would wait for the poll.
    state.reading = null
  }

  /** A listener that fails to apply a change has a stale copy. */
  function deliver(
    environment_id: string,
    state: Followed,
    changes: readonly StoredChange[],
    committed: CommittedAt,
  ): void {
    try {
      listener?.onChanges(environment_id, changes, committed)
      state.revision = changes.at(-1)?.revision ?? state.revision
    } catch (err) {
      log.error({ err, environment_id }, 'changes could not be applied; loading the flags again')
      resetCopy(environment_id)
    }
  }

  function resetCopy(environment_id: string): void {
    followed.delete(environment_id)
    listener?.onGap(environment_id)
  }

  function advance(environment_id: string, revision: number): void {
    const state = followed.get(environment_id)
    if (!state) return
    state.targetRevision = Math.max(state.targetRevision, revision)
    if (state.reading !== null || state.targetRevision <= state.revision) return
    state.reading = readSafely(environment_id, state)
  }

  async function poll(): Promise<void> {
    const requestedAtMs = clock.monotonicMs()
    const polled = [...followed].map(([environment_id, state]) => ({
      environment_id,
      state,
      had: state.revision,
    }))
    const ids = polled.map(({ environment_id }) => environment_id)
    const { environments, ...current } = await readRevisions(db, ids)
    for (const { environment_id, state, had } of polled) {
      if (followed.get(environment_id) !== state) continue
      const revision = environments.get(environment_id)
      if (revision === undefined) {
        followed.delete(environment_id)
        listener?.onDeleted(environment_id)
      } else if (revision < had) resetCopy(environment_id)
      else advance(environment_id, revision)
    }
    const isAccessChanged = current.access_revision !== access_revision
    const areGroupsChanged = current.groups_revision !== groups_revision
    access_revision = current.access_revision
    groups_revision = current.groups_revision
    confirmedAt = requestedAtMs
    if (isAccessChanged) listener?.onAccessChanged()
    if (areGroupsChanged) listener?.onGroupsChanged()
  }

  /** Runs one poll at a time. A request during a poll causes one more afterwards. */
  function pollSoon(): void {
    if (!closed) polls.request()
  }

  const unsubscribe = bus.subscribe((hint) => {
    if (hint.kind === 'changes') advance(hint.environment_id, hint.revision)
    else pollSoon()
  })

  return {
    follow: (environment_id, revision) => {
      followed.set(environment_id, { revision, targetRevision: revision, reading: null })
      // Changes between the caller's read and this line would otherwise wait for the next poll.
      pollSoon()
    },
    unfollow: (environment_id) => {
      followed.delete(environment_id)
    },
    async committed(environment_id, changes, created_at) {
      const state = followed.get(environment_id)
      const first = changes[0]
      const last = changes.at(-1)
      if (!state || !first || !last) return
      if (state.reading === null && first.revision === state.revision + 1) {
        deliver(environment_id, state, changes, committedNow(clock, created_at))
        return
      }
      advance(environment_id, last.revision)
      await state.reading
    },
    hintAccess: pollSoon,
    confirmedAtMs: () => confirmedAt,
    revisionsBehind: () =>
      [...followed.values()].reduce(
        (sum, { revision, targetRevision }) => sum + targetRevision - revision,
        0,
      ),
    accessRevision: () => access_revision,
    async start(started) {
      listener = started
      timer = setInterval(pollSoon, POLL_MS)
      pollSoon()
      await polls.idle()
    },
    async close() {
      closed = true
      clearInterval(timer)
      unsubscribe()
      await Promise.all([polls.idle(), ...[...followed.values()].map((state) => state.reading)])
    },
  }
}

function failForTimeout(): never {
  throw new Error(`no response within ${POLL_DEADLINE_MS} ms`)
}

function isGapless(changes: readonly StoredChange[], revision: number): boolean {
  return changes.every((change, index) => change.revision === revision + 1 + index)
}
