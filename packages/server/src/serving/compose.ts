import type { ofrepEndpoints, streamEndpoints } from '@burgee/contract'
import type { Basics } from '../changes/index.ts'
import type { EvaluationSets } from '../kernel/evaluation-set.ts'
import { type Domain, EMPTY, worker } from '../platform/composition.ts'
import type { Config } from '../platform/settings/config.ts'
import type { createImpressionIngest } from '../reporting/impressions/index.ts'
import type { SdkClients } from '../reporting/propagation/index.ts'
import { createUnknownFlagCounter, type StoreUnknownFlags } from '../reporting/unknown-flags/index.ts'
import {
  defaultEnvironmentOfOldestProject,
  findEnvironmentScope,
  readableEnvironments,
} from '../structure/environments/index.ts'
import type { KeyCredentials, KeyUses } from '../structure/sdk-keys/index.ts'
import { loadWireFlags } from '../targeting/flags/index.ts'
import { type ConnectionCounts, startStreamCountReports } from './connections/index.ts'
import {
  createImpressionRecorder,
  createOfrep,
  createTickets,
  NO_IMPRESSIONS,
  type Ofrep,
  ofrepHandlers,
} from './ofrep/index.ts'
import {
  createLiveFlags,
  createOpenEventStream,
  createStreamLimits,
  type KeyStreamListener,
  type LiveFlags,
  streamHandlers,
} from './stream/index.ts'

const TICKET_PURPOSE = 'ofrep tickets'

interface Given {
  readonly counts: ConnectionCounts
  readonly keys: KeyCredentials
  readonly keyUses: KeyUses
  readonly sdkClients: SdkClients
  readonly storeUnknown: StoreUnknownFlags
  readonly ingestImpressions: ReturnType<typeof createImpressionIngest>
  readonly impressionBudget: Parameters<typeof createImpressionRecorder>[0]['budget']
  readonly validSessions: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  readonly validAccessTokens: (ids: readonly number[]) => Promise<ReadonlySet<number>>
  /** Called when groups give people other roles, on whatever instance. */
  readonly onGroupsChanged: () => void
}

interface Parts {
  readonly sets: EvaluationSets
  readonly peekSnapshot: LiveFlags['snapshots']['peek']
  readonly findTicket: Ofrep['findTicket']
  readonly responder: Ofrep['responder']
  /** Ends every stream without a word, after a fault. */
  cutStreams(): void
}

type Endpoints = typeof streamEndpoints & typeof ofrepEndpoints

/** Composes what SDKs receive. */
export function composeServing(config: Config, basics: Basics, given: Given): Domain<Parts, Endpoints> {
  const { db, lists, log, metrics } = basics
  const { counts, sdkClients: clients } = given
  const load = (environment_id: string) => loadWireFlags(db, environment_id)
  const live = createLiveFlags({ ...basics, load, clients, keyStreams: listenToKeyStreams(given) })
  const ofrep = composeOfrep(config, basics, { ...given, sets: live.evaluationSets })
  const { maxStreamsPerKey: maxPerKey } = config.connectionLimits
  // The streams of SDKs and the event streams of OFREP share the limit of their key.
  const streams = { ...live, limits: createStreamLimits({ metrics }, { maxPerKey }) }
  const access = reviewedAccess(basics, given)
  const { findTicket, responder } = ofrep
  return {
    ...EMPTY,
    parts: {
      sets: live.evaluationSets,
      peekSnapshot: live.snapshots.peek,
      findTicket,
      responder,
      cutStreams() {
        for (const stream of live.hub.connections()) stream.cut()
      },
    },
    handlers: {
      ...streamHandlers({ ...streams, clients, readable: access.readable }),
      ...ofrepHandlers({ responder, budget: lists.budget, openEvents: createOpenEventStream(streams) }),
    },
    lookups: {},
    workers: [
      { name: 'live flags', start: () => live.start(access), close: live.close },
      worker('counts of streams', () => startStreamCountReports({ ...counts, log })),
    ],
    async close() {
      await Promise.all([ofrep.impressions.close(), ofrep.unknownFlags.close()])
    },
  }
}

/** Counts each stream for its environment and for its key. Its end is a use of the key. */
const listenToKeyStreams = ({
  counts: { counts, keyCounts },
  keyUses,
  sdkClients,
}: Given): KeyStreamListener => ({
  opened({ environment_id, key_id }) {
    counts.opened(environment_id)
    sdkClients.streamOpened(environment_id)
    if (key_id !== null) keyCounts.opened(key_id)
  },
  closed({ environment_id, key_id }) {
    counts.closed(environment_id)
    sdkClients.streamClosed(environment_id)
    if (key_id !== null) keyCounts.closed(key_id)
    keyUses.record(key_id)
  },
})

/** Returns the functions by which open streams are authorized again. */
const reviewedAccess = (
  { db }: Basics,
  { keys, onGroupsChanged, validAccessTokens, validSessions }: Given,
): Parameters<LiveFlags['start']>[0] => ({
  onGroupsChanged,
  readable: {
    byUser: (userIds) => readableEnvironments(db, userIds),
    exists: async (environment_id) => (await findEnvironmentScope(db, environment_id, null)) !== null,
  },
  review: {
    validSdkKeys: keys.validIds,
    validSessions,
    validAccessTokens,
    legacyKeyEnvironment: async () => (await defaultEnvironmentOfOldestProject(db))?.environment_id ?? null,
  },
})

function composeOfrep(
  { legacySdkKey, ofrepImpressions }: Config,
  { clock, data_key, db, log, metrics }: Basics,
  given: Given & { readonly sets: EvaluationSets },
): Ofrep {
  const { impressionBudget: budget, ingestImpressions: ingest, keys, sets, storeUnknown } = given
  return createOfrep({
    db,
    sets,
    tickets: createTickets({ clock, legacySdkKey, secret: data_key.derive(TICKET_PURPOSE) }),
    impressions: ofrepImpressions
      ? createImpressionRecorder({ clock, log, metrics, budget, ingest })
      : NO_IMPRESSIONS,
    unknownFlags: createUnknownFlagCounter({ log, storeUnknown }),
    findKeyById: keys.findById,
  })
}
