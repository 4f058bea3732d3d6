import type { environmentEndpoints } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { EndpointHandlers } from '../../kernel/endpoint-handler.ts'
import type { Database } from '../../platform/db/tables.ts'
import { listEnvironments } from './queries.ts'

export function environmentHandlers({
  db,
}: {
  readonly db: Kysely<Database>
}): EndpointHandlers<typeof environmentEndpoints> {
  return {
    async listEnvironments({ scope }) {
      return { status: 200, body: await listEnvironments(db, scope.project_id) }
    },
  }
}
