import {
  INCIDENT_IMPACTS_MAX,
  INCIDENT_LIMIT_DEFAULT,
  type IncidentEntry,
  type incidentEndpoints,
} from '@burgee/contract'
import type { Kysely } from 'kysely'
import { type Actor, actorIdentity } from '../../kernel/actor.ts'
import { toInstant } from '../../kernel/instant.ts'
import { clamp } from '../../kernel/paging.ts'
import { lacksIn, mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { listEnvironments } from '../../structure/environments/index.ts'
import type { ComputePastImpacts } from '../impact/index.ts'
import type { IncidentFilter } from './incident-queries.ts'
import { listIncident } from './list-incident.ts'

interface IncidentDeps {
  readonly db: Kysely<Database>
  readonly clock: Pick<Clock, 'now'>
  readonly computePastImpacts: ComputePastImpacts
}

interface Window {
  readonly from: string
  readonly to?: string | undefined
  readonly limit?: number | undefined
  readonly impact?: boolean | undefined
}

export function incidentHandlers({
  clock,
  computePastImpacts,
  db,
}: IncidentDeps): EndpointHandlers<typeof incidentEndpoints> {
  const toFilter = ({ from, limit = INCIDENT_LIMIT_DEFAULT, to }: Window) => ({
    from: toInstant(from),
    to: to === undefined ? clock.now().toISOString() : toInstant(to),
    limit: clamp(limit, 1, INCIDENT_LIMIT_DEFAULT),
  })
  async function list(actor: Actor, query: Window, place: IncidentFilter['place']): Promise<IncidentEntry[]> {
    const entries = await listIncident(db, { ...toFilter(query), place })
    if (query.impact !== true) return entries
    const counted = entries.slice(0, INCIDENT_IMPACTS_MAX)
    const impacts = await computePastImpacts(actorIdentity(actor), counted)
    return entries.map((entry, index) =>
      index < counted.length ? { ...entry, impact: impacts.get(entry.audit_id) ?? null } : entry,
    )
  }
  return {
    async listProjectIncident({ actor, query, scope }) {
      const environmentIds = await readableIds(db, actor, scope, query.environment_id?.toLowerCase())
      const place = { project_id: scope.project_id, environmentIds }
      return { status: 200, body: await list(actor, query, place) }
    },
    async listIncident({ actor, query }) {
      return { status: 200, body: await list(actor, query, null) }
    },
  }
}

async function readableIds(
  db: Kysely<Database>,
  actor: Actor,
  scope: ProjectScope,
  wanted: string | undefined,
): Promise<readonly string[] | 'all'> {
  const isReadable = (id: string) => mayInEnvironment(actor, scope, 'read_environment', id)
  if (wanted !== undefined && !isReadable(wanted))
    throw lacksIn('read_environment', { project_id: scope.project_id, environment_id: wanted })
  const environments = await listEnvironments(db, scope.project_id)
  const ids = environments.map(({ id }) => id).filter(isReadable)
  if (wanted !== undefined) return ids.filter((id) => id === wanted)
  return ids.length === environments.length ? 'all' : ids
}
