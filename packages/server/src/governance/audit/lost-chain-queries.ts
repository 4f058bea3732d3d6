import { type Kysely, sql } from 'kysely'
import { WORKSPACE_CHAIN } from '../../changes/sealed-entry.ts'
import { isUuid } from '../../kernel/is-uuid.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { ChainFilter } from './chain-queries.ts'

/** A chain, with a project that it is of according to one of its sources. */
interface ExpectedChain {
  readonly chain: string
  readonly project_id: string | null
}

/**
 * Returns the chains without a row that must have one, each with every project that a source names: those of
 * entries and those of environments. With `chain`, only that one is looked for.
 */
export async function findLostChains(
  db: Kysely<Database>,
  { chain }: Pick<ChainFilter, 'chain'>,
): Promise<readonly ExpectedChain[]> {
  const { rows } = await sql<ExpectedChain>`
    with recursive ${chain === undefined ? ALL_NAMED : namedAs(chain)}, expected as (
      select chain, project_id from named
      union select environment_id::text, project_id from unchained
      union select id::text, project_id from environments
      union select ${WORKSPACE_CHAIN}, null
    )
    select chain, project_id from expected
    where chain not in (select chain from audit_chains) and (${chain ?? null}::text is null or chain = ${chain ?? null}::text)
    order by chain collate "C"
  `.execute(db)
  return rows
}

/**
 * The chains of entries, and the environments of entries without a chain: one look into the index for each.
 */
const ALL_NAMED = sql`named as (
    (select chain, project_id from audit_log where chain is not null order by chain, seq limit 1)
    union all
    select next.chain, next.project_id from named cross join lateral (
      select chain, project_id from audit_log where chain > named.chain order by chain, seq limit 1
    ) next
  ), unchained as (
    (select environment_id, project_id from audit_log
      where chain is null and environment_id is not null order by environment_id, id limit 1)
    union all
    select next.environment_id, next.project_id from unchained cross join lateral (
      select environment_id, project_id from audit_log
      where chain is null and environment_id > unchained.environment_id order by environment_id, id limit 1
    ) next
  )`

const namedAs = (chain: string) => sql`named as (
    select chain, project_id from audit_log where chain = ${chain} order by seq limit 1
  ), unchained as (
    select environment_id, project_id from audit_log
    where chain is null and environment_id = ${isUuid(chain) ? chain : null}::uuid order by id limit 1
  )`

/** The metadata of an entry that closed chains, and the project that it is of. */
interface Closing {
  readonly metadata: string
  readonly project_id: string | null
}

/** Returns the entries that closed chains: of a project, or with the name of one chain. */
export async function findClosings(
  db: Kysely<Database>,
  { chain, project_id }: Pick<ChainFilter, 'chain' | 'project_id'>,
): Promise<readonly Closing[]> {
  const { rows } = await sql<Closing>`
    select metadata::text as metadata, project_id from audit_log
    where chain = ${WORKSPACE_CHAIN} and action = 'delete' and metadata::text like '%"closed_chains"%'
      and (${project_id ?? null}::uuid is null or project_id = ${project_id ?? null}::uuid)
      and (${chain ?? null}::text is null or strpos(metadata::text, ${chain ?? null}::text) > 0)
    order by seq
  `.execute(db)
  return rows
}
