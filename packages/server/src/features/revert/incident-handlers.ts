import { INCIDENT_LIMIT_DEFAULT, type incidentEndpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { toInstant } from '../../kernel/instant.ts'
import { clamp } from '../../kernel/paging.ts'
import { lacksIn, mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EndpointHandlers } from '../../platform/endpoint-handler.ts'
import { listEnvironments } from '../environments/index.ts'
import { listIncident } from './list-incident.ts'

interface IncidentDeps {
  readonly db: Kysely<Database>
  readonly clock: Pick<Clock, 'now'>
}

interface Window {
  readonly from: string
  readonly to?: string | undefined
  readonly limit?: number | undefined
}

export function incidentHandlers({ clock, db }: IncidentDeps): EndpointHandlers<typeof incidentEndpoints> {
  const toFilter = ({ from, limit = INCIDENT_LIMIT_DEFAULT, to }: Window) => ({
    from: toInstant(from),
    to: to === undefined ? clock.now().toISOString() : toInstant(to),
    limit: clamp(limit, 1, INCIDENT_LIMIT_DEFAULT),
  })
  return {
    async listProjectIncident({ actor, query, scope }) {
      const environmentIds = await readableIds(db, actor, scope, query.environment_id?.toLowerCase())
      return {
        status: 200,
        body: await listIncident(db, {
          ...toFilter(query),
          place: { project_id: scope.project_id, environmentIds },
        }),
      }
    },
    async listIncident({ query }) {
      return { status: 200, body: await listIncident(db, { ...toFilter(query), place: null }) }
    },
  }
}

async function readableIds(
  db: Kysely<Database>,
  actor: Actor,
  scope: ProjectScope,
  wanted: string | undefined,
): Promise<readonly string[]> {
  const isReadable = (id: string) => mayInEnvironment(actor, scope, 'read_environment', id)
  if (wanted !== undefined && !isReadable(wanted))
    throw lacksIn('read_environment', { project_id: scope.project_id, environment_id: wanted })
  const environments = await listEnvironments(db, scope.project_id)
  const ids = environments.map(({ id }) => id).filter(isReadable)
  return wanted === undefined ? ids : ids.filter((id) => id === wanted)
}
