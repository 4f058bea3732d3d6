import type { driftNoteEndpoints, flagEndpoints, manifestEndpoints, segmentEndpoints } from '@burgee/contract'
import { type Basics, startHistoryKeeping } from '../changes/index.ts'
import type { EvaluationSets } from '../kernel/evaluation-set.ts'
import { type Domain, EMPTY, environmentOf, worker } from '../platform/composition.ts'
import { rowExists } from '../platform/db/row-exists.ts'
import type { Config } from '../platform/settings/config.ts'
import { driftNoteHandlers } from './drift-notes/index.ts'
import { type FlagDeps, flagHandlers } from './flag-operations/index.ts'
import { loadWireFlags } from './flags/index.ts'
import { manifestHandlers } from './manifest/index.ts'
import { type SegmentDeps, segmentHandlers } from './segments/index.ts'

interface Given {
  readonly writes: FlagDeps['writes'] & SegmentDeps
  readonly sets: EvaluationSets
}

type Endpoints = typeof flagEndpoints &
  typeof segmentEndpoints &
  typeof manifestEndpoints &
  typeof driftNoteEndpoints

/** Composes flags and segments. */
export function composeTargeting(
  { auditRetentionDays, historyRetentionDays }: Config,
  basics: Basics,
  { sets, writes }: Given,
): Domain<null, Endpoints, 'flag' | 'segment'> {
  const { clock, db, lists, log } = basics
  const load = (environment_id: string) => loadWireFlags(db, environment_id)
  const history = { db, clock, log, auditRetentionDays, historyRetentionDays, load }
  return {
    ...EMPTY,
    parts: null,
    handlers: {
      ...flagHandlers({ ...lists, clock, sets, writes }),
      ...segmentHandlers({ ...lists, writes }),
      ...manifestHandlers({ ...lists, clock, writes }),
      ...driftNoteHandlers(basics),
    },
    lookups: {
      flag: (at) => rowExists(db, 'flags', { environment_id: environmentOf(at), key: String(at.params.key) }),
      segment: (at) =>
        rowExists(db, 'segments', { environment_id: environmentOf(at), key: String(at.params.key) }),
    },
    workers: [worker('history', () => startHistoryKeeping(history))],
  }
}
