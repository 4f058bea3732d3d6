import type {
  applyEndpoints,
  auditEndpoints,
  changeRequestEndpoints,
  evaluateEndpoints,
  importEndpoints,
  incidentEndpoints,
  invariantEndpoints,
  revertEndpoints,
  scheduledChangeEndpoints,
} from '@burgee/contract'
import type { Basics } from '../changes/index.ts'
import { type Domain, EMPTY, environmentOf, projectOf, worker } from '../platform/composition.ts'
import { rowExists } from '../platform/db/row-exists.ts'
import type { Config } from '../platform/settings/config.ts'
import { applyHandlers } from './apply/index.ts'
import { auditHandlers, startAnchorLog, startAuditKeeping } from './audit/index.ts'
import { changeRequestHandlers } from './change-requests/index.ts'
import { type ImpactParts, impactHandlers } from './impact/index.ts'
import { createTranslator, importHandlers } from './import/index.ts'
import { invariantHandlers } from './invariants/index.ts'
import { incidentHandlers, revertHandlers } from './revert/index.ts'
import { countDueChanges, type Scheduler, scheduledChangeHandlers } from './scheduled-changes/index.ts'

/** The parts of flag writes, which several domains make. */
interface Given {
  readonly writes: Parameters<typeof applyHandlers>[0] &
    Parameters<typeof revertHandlers>[0] &
    Parameters<typeof changeRequestHandlers>[0]['writes'] &
    Parameters<typeof scheduledChangeHandlers>[0]['writes']
  readonly impact: ImpactParts
  readonly scheduler: Scheduler
  /** Options of Node for child processes, where the server runs from its sources. */
  readonly childArgs: readonly string[] | undefined
}

type Endpoints = typeof applyEndpoints &
  typeof revertEndpoints &
  typeof incidentEndpoints &
  Pick<typeof evaluateEndpoints, 'findImpact'> &
  typeof importEndpoints &
  typeof changeRequestEndpoints &
  typeof scheduledChangeEndpoints &
  typeof invariantEndpoints &
  typeof auditEndpoints

/** Composes what decides about changes, plans them, records them and takes them back. */
export function composeGovernance(
  { auditRetentionDays: retentionDays }: Config,
  basics: Basics,
  { childArgs, impact, scheduler, writes }: Given,
): Domain<null, Endpoints, 'change_request' | 'scheduled_change' | 'invariant'> {
  const { clock, database, db, lists, log } = basics
  const translator = createTranslator({ execArgv: childArgs })
  const { computeImpact, computePastImpacts, impacts } = impact
  return {
    ...EMPTY,
    parts: null,
    handlers: {
      ...applyHandlers(writes),
      ...revertHandlers(writes),
      ...incidentHandlers({ clock, db, computePastImpacts }),
      ...impactHandlers(computeImpact),
      ...importHandlers({ clock, translator }),
      ...changeRequestHandlers({ ...lists, clock, impacts, writes }),
      ...scheduledChangeHandlers({ ...lists, writes }),
      ...invariantHandlers(basics),
      ...auditHandlers(lists),
    },
    lookups: {
      change_request: (at) =>
        rowExists(db, 'change_requests', { environment_id: environmentOf(at), id: Number(at.params.id) }),
      scheduled_change: (at) =>
        rowExists(db, 'scheduled_changes', { environment_id: environmentOf(at), id: String(at.params.id) }),
      invariant: (at) =>
        rowExists(db, 'invariants', { project_id: projectOf(at), key: String(at.params.key) }),
    },
    workers: [
      worker('months of the audit log', () =>
        startAuditKeeping({ connection: database.ownerConnection, clock, log }, { retentionDays }),
      ),
      worker('log of anchors', () => startAnchorLog({ clock, db, log })),
      { name: 'scheduled changes', start: scheduler.start, close: scheduler.close },
      worker('recorded impacts', () => impacts),
    ],
    measures: [{ queue: 'scheduled_changes', count: (max) => countDueChanges(db, max) }],
    close: translator.close,
  }
}
