import { type RawBuilder, sql, type Transaction } from 'kysely'
import { byteaArray } from '../platform/db/binary-array.ts'
import type { Database } from '../platform/db/tables.ts'

/**
 * Returns the hashes (hexadecimal) of which the environment has no chunk in this month. It looks up each: an
 * anti-join may read all chunks of the environment.
 */
export async function findMissingChunks(
  tx: Transaction<Database>,
  environment_id: string,
  hashes: readonly string[],
): Promise<string[]> {
  const wanted = byteaArray(hashes.map((hash) => Buffer.from(hash, 'hex')))
  const { rows } = await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from unnest(${wanted}::bytea[]) as wanted(hash)
    where (
      select true from audit_chunks chunk
      where chunk.month = (select current_audit_month()) and chunk.environment_id = ${environment_id}::uuid and chunk.hash = wanted.hash
    ) is null
  `.execute(tx)
  return rows.map(({ hash }) => hash)
}

export interface Chunk {
  readonly hash: Buffer
  readonly content: Buffer
}

export async function insertChunks(
  tx: Transaction<Database>,
  environment_id: string,
  chunks: readonly Chunk[],
): Promise<void> {
  await sql`
    insert into audit_chunks (environment_id, hash, content)
    select ${environment_id}::uuid, hash, content
    from unnest(${byteaArray(chunks.map(({ hash }) => hash))}::bytea[],
      ${byteaArray(chunks.map(({ content }) => content))}::bytea[]) as chunk(hash, content)
  `.execute(tx)
}

/** Returns the stored text of a row: the whole one, or the one joined from its chunks. */
export const wholeText = (columns: {
  readonly json: string
  readonly chunks: string
  readonly month: string
  readonly environment_id: string
}): RawBuilder<string | null> => {
  const { chunks, environment_id, json, month } = columns
  return sql<string | null>`coalesce(${sql.ref(json)}::text,
    chunked_text(${sql.ref(month)}, ${sql.ref(environment_id)}, ${sql.ref(chunks)}))`
}
