import { INTEGRATIONS_MAX, WEBHOOKS_MAX } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** An environment with more receivers of a kind than it may have. */
export interface ManyReceivers {
  readonly environment_id: string
  readonly slug: string
  readonly resource: 'webhooks' | 'integrations'
  readonly count: number
  readonly max: number
}

/** Lists the environments of a project with more webhooks or chat integrations than they may have. */
export async function listManyReceivers(
  db: Kysely<Database>,
  project_id: string,
): Promise<readonly ManyReceivers[]> {
  const of = (resource: ManyReceivers['resource'], max: number) => sql`
    select environments.id as environment_id, environments.slug, ${resource}::text as resource, count(*)::int as count, ${max}::int as max
    from environments join ${sql.table(resource)} receivers on receivers.environment_id = environments.id
    where environments.project_id = ${project_id}::uuid
    group by environments.id having count(*) > ${max}::int`
  const { rows } = await sql<ManyReceivers>`
    ${of('webhooks', WEBHOOKS_MAX)} union all ${of('integrations', INTEGRATIONS_MAX)} order by 2, 3`.execute(
    db,
  )
  return rows
}
