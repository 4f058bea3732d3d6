import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { EndedTokens } from '../../kernel/ended-tokens.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { StoredToken } from './queries.ts'

/** A token that creates another one. */
export interface ParentToken {
  readonly name: string
  readonly expires_at: string | null
  /** The number of valid tokens below the first token of its tree. */
  readonly treeSize: number
}

/**
 * Returns a token that creates another one, and locks its tree until the transaction ends: it is neither
 * revoked nor gets a second token at the same time. Undefined when it was revoked or has expired. The owner
 * of the new token is locked before.
 */
export async function lockParentToken(
  tx: Transaction<Database>,
  { id, now }: { readonly id: number; readonly now: string },
): Promise<ParentToken | undefined> {
  const root = await sql<{ id: number }>`
    with recursive up as (
      select id, parent_id from access_tokens where id = ${id}::int
      union all
      select t.id, t.parent_id from access_tokens t join up on t.id = up.parent_id
    )
    select id from access_tokens where id = (select id from up where parent_id is null) for no key update
  `.execute(tx)
  const rootId = root.rows[0]?.id
  if (rootId === undefined) return undefined
  return tx
    .selectFrom('access_tokens')
    .select(['name', 'expires_at', countLive(rootId, now).as('treeSize')])
    .where('id', '=', id)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .forKeyShare()
    .executeTakeFirst()
}

/** Counts the valid tokens below one. Below an expired one there is none, because none ends later. */
const countLive = (rootId: number, now: string): RawBuilder<number> => sql<number>`(
  with recursive tree as (
    select id from access_tokens where parent_id = ${rootId}::int
      and (expires_at is null or expires_at > ${now}::timestamptz)
    union all
    select t.id from access_tokens t join tree on t.parent_id = tree.id
    where t.expires_at is null or t.expires_at > ${now}::timestamptz
  )
  select count(*)::int from tree)`

/** A token that was revoked, and the account that it belonged to. */
export interface RevokedToken extends StoredToken {
  readonly user_id: number
  readonly is_service_account: boolean
}

/**
 * Deletes a token of a user and all that were created with it, directly or with one of those, and returns
 * them in the order of their ids: a parent comes before its children. Empty when the user has no such token.
 */
export async function deleteTokenTree(
  tx: Transaction<Database>,
  { id, user_id }: { readonly id: number; readonly user_id: number },
): Promise<readonly RevokedToken[]> {
  const { rows } = await sql<RevokedToken>`
    with recursive tree as (${below(sql`id = ${id}::int and user_id = ${user_id}::int`)}),
    ${deleted()}
    select d.id, d.name, d.prefix, d.scope, d.created_at, d.expires_at, d.parent_id, d.user_id,
      u.kind = 'service_account' as is_service_account
    from deleted d join users u on u.id = d.user_id order by d.id
  `.execute(tx)
  return rows
}

/**
 * Deletes the tokens of a user but the given one, and all that were created with them. The kept token has no
 * parent any more.
 */
export async function deleteUserTokens(
  tx: Transaction<Database>,
  user_id: number,
  keptId: number | null = null,
): Promise<EndedTokens> {
  if (keptId !== null)
    await tx
      .updateTable('access_tokens')
      .set({ parent_id: null })
      .where('id', '=', keptId)
      .where('user_id', '=', user_id)
      .execute()
  const { rows } = await sql<{ count: number; named: readonly string[] | null }>`
    with recursive tree as (${below(sql`user_id = ${user_id}::int and id is distinct from ${keptId}::int`)}),
    ${deleted()}
    select count(*)::int as count, (
      select array_agg('access_token:' || id || ' of service_account:' || user_id order by id)
      from (
        select id, user_id from deleted where user_id <> ${user_id}::int order by id limit ${NAMED_MAX}
      ) others
    ) as named
    from deleted
  `.execute(tx)
  const { count = 0, named = null } = rows[0] ?? {}
  return { tokens_revoked: count, ...(named !== null && { account_tokens_revoked: named }) }
}
const NAMED_MAX = 100

/** The ids of the tokens that match, and of those that were created with them. */
const below = (isFirst: RawBuilder<unknown>) => sql`
  select id from access_tokens where ${isFirst}
  union
  select t.id from access_tokens t join tree on t.parent_id = tree.id`

/** Deletes a tree. Its rows are locked in the order of their ids, so that two revocations never deadlock. */
const deleted = () => sql`
  locked as (
    select id from access_tokens where id in (select id from tree) order by id for update
  ), deleted as (
    delete from access_tokens where id in (select id from locked) returning *
  )`
