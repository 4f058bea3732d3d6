import type { JsonValue } from '@burgee/evaluation'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** Returns the patches of pending changes that may name the segment. */
export async function listPendingNaming(
  tx: Transaction<Database>,
  environment_id: string,
  segment_key: string,
): Promise<{ id: string; patch: Record<string, JsonValue> }[]> {
  return tx
    .selectFrom('scheduled_changes')
    .select(['id', 'patch'])
    .where('environment_id', '=', environment_id)
    .where('executed_at', 'is', null)
    .where(sql<boolean>`strpos(patch::text, ${segment_key}) > 0`)
    .forUpdate()
    .execute()
}

export async function updatePatch(tx: Transaction<Database>, id: string, patch: JsonValue): Promise<void> {
  await tx
    .updateTable('scheduled_changes')
    .set({ patch: JSON.stringify(patch) })
    .where('id', '=', id)
    .execute()
}

/** Returns the pending changes that name segments, by flag. */
export async function listPendingPatches(
  tx: Kysely<Database>,
  environment_id: string,
): Promise<{ flag_key: string; patch: Record<string, JsonValue> }[]> {
  return tx
    .selectFrom('scheduled_changes')
    .select(['flag_key', 'patch'])
    .where('environment_id', '=', environment_id)
    .where('executed_at', 'is', null)
    .where(sql<boolean>`strpos(patch::text, '"segment_key"') > 0`)
    .execute()
}
