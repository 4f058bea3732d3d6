import { sql } from 'kysely'
import type { TestDatabase } from '../harness/database.ts'

const SLICE = 5_000

/** The id of the environment whose chain has this number. */
export const chainOf = (nth: number): string => `00000000-0000-4000-9000-${String(nth).padStart(12, '0')}`

/**
 * Fills new chains with entries, as writes leave them: updates with texts of several alphabets, creations
 * without a state before, and entries without metadata.
 */
export async function fillChains(
  { db }: TestDatabase,
  {
    chains,
    rows,
    firstId = 1,
  }: { readonly chains: number; readonly rows: number; readonly firstId?: number },
): Promise<void> {
  for (let nth = 0; nth < chains; nth += 1) {
    const chain = chainOf(nth)
    await sql`
      insert into audit_chains (chain, environment_id, head, genesis, base_hash)
      values (${chain}, ${chain}::uuid, ${ZEROS}, ${ZEROS}, ${ZEROS})`.execute(db)
    for (let first = 1; first <= rows; first += SLICE) {
      const count = Math.min(SLICE, rows - first + 1)
      await fillSlice(db, { chain, first, count, firstId: firstId + nth * rows })
    }
  }
}

const ZEROS = sql`decode(repeat('00', 32), 'hex')`

interface Slice {
  readonly chain: string
  readonly first: number
  readonly count: number
  readonly firstId: number
}

async function fillSlice(db: TestDatabase['db'], { chain, count, first, firstId }: Slice): Promise<void> {
  await sql`
    with recursive drafts as (
      select ${firstId}::bigint + n - 1 as id, ${chain}::text as chain, n::bigint as seq, ${chain}::uuid as environment_id,
        case when n % 7 = 0 then null else '00000000-0000-4000-8000-000000000001'::uuid end as project_id,
        case when n % 5 = 0 then '' else 'flag-' || n % 300 end as flag_key, 'user-' || n % 40 || '@example.com' as actor_email,
        case when n % 3 = 0 then 'create' else 'update' end as action,
        case when n % 3 = 0 then null
          else ('{"is_enabled": false, "description": "前 Ænglisc ' || repeat('x', n % 90) || '"}')::json end as before_data,
        ('{"is_enabled":true,"description":"後 ' || repeat('y', n % 400) || '"}')::json as after_data,
        case when n % 4 = 0 then null else ('{"origin":"direct","request_id":"' || n || '"}')::json end as metadata,
        timestamptz '2026-03-01T00:00:00Z' + n * interval '1.000001 seconds' as created_at
      from generate_series(${first}::int, ${first + count - 1}::int) n
    ), sealed (seq, hash) as (
      select seq, head from audit_chains where audit_chains.chain = ${chain}
      union all
      select drafts.seq, audit_hash(sealed.hash, drafts.id, drafts.chain, drafts.seq, drafts.project_id, drafts.environment_id,
        drafts.flag_key, drafts.actor_email, drafts.action, drafts.before_data::text, drafts.after_data::text,
        drafts.metadata::text, drafts.created_at)
      from sealed join lateral (select * from drafts where drafts.seq = sealed.seq + 1) drafts on true
    ), inserted as (
      insert into audit_log (id, chain, seq, hash, project_id, environment_id, flag_key, actor_email, action, before_data, after_data,
        metadata, created_at)
      overriding system value
      select drafts.id, drafts.chain, seq, sealed.hash, project_id, environment_id, flag_key, actor_email, action, before_data, after_data,
        metadata, created_at
      from drafts join sealed using (seq)
    )
    update audit_chains set (seq, head) = (select seq, hash from sealed order by seq desc limit 1) where chain = ${chain}
  `.execute(db)
}
