import type { Kysely } from 'kysely'
import type { EncodedReply } from '../../kernel/endpoint-handler.ts'
import type { Database } from '../../platform/db/tables.ts'
import { type FlagFilters, listFlagTexts } from './reading/queries.ts'

/**
 * The environment's flags as an answer that is encoded already: ten thousand flags are ten megabytes, and reading them into
 * objects only to write them out again would hold everything else up.
 */
export async function listFlagsEncoded(
  db: Kysely<Database>,
  environment_id: string,
  filters: FlagFilters,
): Promise<EncodedReply> {
  const flags = await listFlagTexts(db, environment_id, filters)
  return {
    status: 200,
    bytes: Buffer.from(`[${flags.join(',')}]`),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }
}
