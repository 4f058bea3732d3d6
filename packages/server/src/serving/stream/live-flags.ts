import { setTimeout as delay } from 'node:timers/promises'
import type { AccessChanges, Changefeed } from '../../changes/index.ts'
import type { EvaluationSets } from '../../kernel/evaluation-set.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { SdkClients } from '../../reporting/propagation/index.ts'
import { type ChangeNotices, createChangeNotices } from './change-notices.ts'
import type { SnapshotSource } from './environment-snapshot.ts'
import { createEvaluationSets } from './evaluation-sets.ts'
import { createHub, type Hub, type KeyStreamListener } from './hub.ts'
import { measurePropagation } from './measure-propagation.ts'
import { measureStreams } from './measure-streams.ts'
import type { ReadableEnvironments } from './open-session-stream.ts'
import { type CredentialReview, reviewConnections } from './review-connections.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'

/** Serves flags to SDKs: the reader of the change log, the flags in memory, and the open streams. */
export interface LiveFlags {
  readonly snapshots: Snapshots
  readonly hub: Hub
  readonly evaluationSets: EvaluationSets
  readonly notices: ChangeNotices
  readonly rights: RightsWatch
  start(access: AccessReview): Promise<void>
  /** Ends every stream and stops reading. */
  close(): Promise<void>
}

/** Protects a stream that is being opened while rights change, after its credential was checked. */
export interface RightsWatch {
  /** Returns a counter that grows with each change of rights that this instance makes or reads. */
  generation(): number
  /** Authorizes every open stream again soon. */
  reviewSoon(): void
}

interface AccessReview {
  readonly review: CredentialReview
  readonly readable: ReadableEnvironments
  /** Called when groups give people other roles, on whatever instance. */
  readonly onGroupsChanged: () => void
}

interface LiveFlagsDeps {
  readonly accessChanges: AccessChanges
  readonly changefeed: Changefeed
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly load: (environment_id: string) => Promise<SnapshotSource | null>
  readonly keyStreams: KeyStreamListener
  readonly clients: Pick<SdkClients, 'changed'>
}

const REVIEW_RETRY_MS = 1_000
/** The flags of an environment leave the memory when no stream and no request has used them for this long. */
export const UNUSED_AFTER_MS = 15 * 60_000
const FORGET_EVERY_MS = 60_000
/** The time without a request after which large encodings are forgotten, at least. */
const FORGET_ENCODINGS_EVERY_MS = 10_000
/** The interval at which streams of sessions are reviewed, because sessions expire by themselves. */
const EXPIRY_REVIEW_MS = 10_000

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createLiveFlags(deps: LiveFlagsDeps): LiveFlags {
  const { accessChanges, changefeed, clients, clock, keyStreams, load, log, metrics } = deps
  const snapshots = createSnapshots({ load, changefeed, clock })
  const evaluationSets = createEvaluationSets({ snapshots, clock })
  const notices = createChangeNotices({ clock })
  const hub = createHub({ clock, log, keyStreams, onBroadcast: measurePropagation(metrics, clock) })
  measureStreams(metrics, hub)
  const stopping = new AbortController()
  let reviewing: Promise<void> | null = null
  let isReviewRequested = false
  const timers: NodeJS.Timeout[] = []
  let reviewed: AccessReview | undefined

  function drop(environment_id: string, why: 'lost' | 'gone'): void {
    snapshots.drop(environment_id)
    evaluationSets.drop(environment_id)
    hub.dropEnvironment(environment_id, why)
  }

  function forget(): void {
    forgetUnused(snapshots, hub)
    evaluationSets.dropUnused(UNUSED_AFTER_MS)
  }

  function reviewSoon(): void {
    if (!reviewed) return
    isReviewRequested = true
    reviewing ??= reviewUntilDone(reviewed)
  }

  /**
   * Runs one review at a time. A failed one is repeated, because a stream must not outlive its credential.
   */
  async function reviewUntilDone({ readable, review }: AccessReview): Promise<void> {
    while (isReviewRequested && !stopping.signal.aborted) {
      isReviewRequested = false
      try {
        await reviewConnections({ hub, snapshots, readable, review })
      } catch (err) {
        log.warn({ err }, 'open streams could not be reviewed; retrying')
        isReviewRequested = true
        await delay(REVIEW_RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
    reviewing = null
  }

  return {
    snapshots,
    hub,
    evaluationSets,
    notices,
    rights: { generation: accessChanges.generation, reviewSoon },
    async start(access) {
      reviewed = access
      timers.push(setInterval(reviewSoon, EXPIRY_REVIEW_MS))
      timers.push(setInterval(forget, FORGET_EVERY_MS))
      timers.push(setInterval(snapshots.forgetUnusedEncodings, FORGET_ENCODINGS_EVERY_MS))
      await changefeed.start({
        onChanges(environment_id, changes, committed) {
          const sent = snapshots.apply(environment_id, changes)
          evaluationSets.apply(environment_id, changes)
          clients.changed(environment_id, changes, committed)
          const last = changes.at(-1)
          if (last) notices.changed(environment_id, last.revision)
          hub.broadcast(environment_id, sent, committed)
        },
        onGap: (environment_id) => drop(environment_id, 'lost'),
        onDeleted: (environment_id) => drop(environment_id, 'gone'),
        onAccessChanged() {
          accessChanges.read()
          reviewSoon()
        },
        onGroupsChanged: access.onGroupsChanged,
      })
    },
    async close() {
      stopping.abort()
      evaluationSets.close()
      notices.close()
      for (const timer of timers) clearInterval(timer)
      hub.close()
      await changefeed.close()
      await reviewing
    },
  }
}

/** A stream uses the flags of its environment for as long as it is open. */
export function forgetUnused(
  snapshots: Pick<Snapshots, 'unusedFor' | 'drop'>,
  hub: Pick<Hub, 'isWatched'>,
): void {
  for (const environment_id of snapshots.unusedFor(UNUSED_AFTER_MS)) {
    if (!hub.isWatched(environment_id)) snapshots.drop(environment_id)
  }
}
