import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { ALL_SDK_CLIENTS } from '../ingest/sdk-client-queries.ts'

/** The clients of one program in one state. */
export interface CountedClients {
  readonly environment_id: string
  readonly app: string
  readonly state: 'current' | 'behind'
  readonly clients: number
}

/** Counts the clients of a server. The programs beyond the largest ones of an environment are one. */
export async function countForMetrics(
  db: Kysely<Database>,
  server_id: string,
  appsMax: number,
): Promise<readonly CountedClients[]> {
  const { rows } = await sql<CountedClients>`
    with visible as (
      select environment_id, coalesce((
        select max(revision) from environment_changes change
        where change.environment_id = server.environment_id and kind <> 'none'), 0) as revision
      from sdk_client_servers server where server_id = ${server_id}::uuid
    ), connected as (
      select environment_id, app, server_id,
        max(revision) over (partition by environment_id, client_id, key_id) as revision
      from ${ALL_SDK_CLIENTS} client where environment_id in (select environment_id from visible)
    ), counted as (
      select client.environment_id, client.app,
        case when client.revision >= visible.revision then 'current' else 'behind' end as state,
        count(*) as clients, sum(count(*)) over (partition by client.environment_id, client.app) as of_app
      from connected client join visible using (environment_id)
      where client.server_id = ${server_id}::uuid group by 1, 2, 3
    ), ranked as (
      select *, dense_rank() over (partition by environment_id order by of_app desc, app) as place from counted
    )
    select environment_id, case when place <= ${appsMax}::int then app else 'other' end as app, state,
      sum(clients)::int as clients
    from ranked group by 1, 2, 3`.execute(db)
  return rows
}
