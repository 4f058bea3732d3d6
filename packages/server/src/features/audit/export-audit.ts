import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { type AuditFilter, listAuditBefore } from './queries.ts'

/** Few enough that even entries of the largest flags fit into memory. */
const BATCH = 100

/** Every entry that matches, newest first, one JSON text a line, read from the database as fast as it is taken. */
export function exportAudit(db: Kysely<Database>, filter: AuditFilter): Readable {
  return Readable.from(lines(db, filter))
}

async function* lines(db: Kysely<Database>, filter: AuditFilter): AsyncGenerator<string> {
  let before_id: number | null = null
  for (;;) {
    const entries = await listAuditBefore(db, filter, { before_id, limit: BATCH })
    const last = entries.at(-1)
    if (!last) return
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    before_id = last.id
  }
}
