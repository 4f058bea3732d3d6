import type { AuditHead } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { type ChainFilter, type ChainRow, findChains } from './chain-queries.ts'

/** Returns the ends of chains: anchors that others keep. */
export async function listAuditHeads(
  db: Kysely<Database>,
  filter: ChainFilter,
): Promise<readonly AuditHead[]> {
  return (await findChains(db, filter)).map(toHead)
}

const toHead = (row: ChainRow): AuditHead => ({
  chain: row.chain,
  project_id: row.project_id,
  seq: row.seq,
  hash: row.head,
  base_seq: row.base_seq,
  base_hash: row.base_seq === 0 ? row.genesis : row.base_hash,
  closed: row.is_closed,
})
