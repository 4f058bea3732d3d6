import type { AccessToken } from '@burgee/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Role, UserKind } from '../../platform/db/tables.ts'

const COLUMNS = ['id', 'name', 'prefix', 'scope', 'created_at', 'expires_at', 'parent_id'] as const

/** Returns a user's tokens, the oldest first, expired ones included. */
export async function listAccessTokens(db: Kysely<Database>, user_id: number): Promise<AccessToken[]> {
  return db
    .selectFrom('access_tokens as t')
    .leftJoin('access_tokens as parent', 'parent.id', 't.parent_id')
    .select(['t.id', 't.name', 't.prefix', 't.scope', 't.created_at', 't.expires_at', 't.parent_id'])
    .select(['parent.name as parent_name', 't.last_used_at', 't.last_address'])
    .where('t.user_id', '=', user_id)
    .orderBy('t.id')
    .execute()
}

export type StoredToken = Omit<AccessToken, 'last_used_at' | 'last_address' | 'parent_name'>

interface AccessTokenRow extends Omit<StoredToken, 'id'> {
  readonly user_id: number
  /** The SHA-256 of the token in hexadecimal. */
  readonly token_hash: string
}

/**
 * Locks the owner of a token against deletion and disabling until the transaction ends. False when the owner
 * does not exist or is disabled; a pending deletion or disabling is awaited.
 */
export async function lockTokenOwner(tx: Transaction<Database>, user_id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Stores a token of a locked owner. */
export const insertAccessTokenRow = (tx: Transaction<Database>, row: AccessTokenRow): Promise<StoredToken> =>
  tx
    .insertInto('access_tokens')
    .values({ ...row, last_used_at: null })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

/** Returns the name of a token; null when it was revoked. */
export async function findTokenName(db: Kysely<Database>, id: number): Promise<string | null> {
  const token = await db.selectFrom('access_tokens').select('name').where('id', '=', id).executeTakeFirst()
  return token?.name ?? null
}

/** Returns whether an account of this kind has the token. */
export async function userTokenExists(
  db: Kysely<Database>,
  { id, kind, user_id }: { readonly id: number; readonly user_id: number; readonly kind: UserKind },
): Promise<boolean> {
  const found = await db
    .selectFrom('access_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select('t.id')
    .where('t.id', '=', id)
    .where('t.user_id', '=', user_id)
    .where('u.kind', '=', kind)
    .executeTakeFirst()
  return found !== undefined
}

interface TokenOwner {
  readonly token_id: number
  readonly scope: AccessToken['scope']
  readonly last_used_at: string | null
  readonly user_id: number
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly kind: UserKind
}

/**
 * Returns the owner of a token by its SHA-256 in hexadecimal; undefined when it has expired or the owner is
 * disabled.
 */
export async function findTokenOwner(
  db: Kysely<Database>,
  token_hash: string,
  now: string,
): Promise<TokenOwner | undefined> {
  return db
    .selectFrom('access_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select([
      't.id as token_id',
      't.scope',
      't.last_used_at',
      'u.id as user_id',
      'u.name',
      'u.email',
      'u.role',
      'u.kind',
    ])
    .where('t.token_hash', '=', token_hash)
    .where('u.disabled_at', 'is', null)
    .where((where) => where.or([where('t.expires_at', 'is', null), where('t.expires_at', '>', now)]))
    .executeTakeFirst()
}

/** Returns those of the given tokens that are neither revoked nor expired, and whose owner is enabled. */
export async function findLiveTokens(
  db: Kysely<Database>,
  ids: readonly number[],
  now: string,
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('access_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select('t.id')
    .where('t.id', '=', sql<number>`any(${ids}::int[])`)
    .where('u.disabled_at', 'is', null)
    .where((where) => where.or([where('t.expires_at', 'is', null), where('t.expires_at', '>', now)]))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** A use of a token: the address that used it, and the time. */
export interface TokenUse {
  readonly id: number
  readonly address: string
  readonly at: string
}

/** A token that is used after a long time without a use. */
export interface SilentToken {
  readonly id: number
  readonly user_id: number
  readonly email: string
  readonly address: string
  /** The use before, or the creation, ISO 8601 in UTC. */
  readonly since: string
}

interface TokenUses {
  readonly uses: readonly TokenUse[]
  /** Uses that follow the stored one by less are not stored. */
  readonly precisionMs: number
  /** A token without a use for this time was silent. */
  readonly silenceMs: number
}

/**
 * Stores the use of tokens, except those soon after the stored ones, and returns the tokens that were silent.
 * Rows that another instance is writing or revoking are skipped, so nothing waits for them.
 */
export async function storeUse(
  db: Kysely<Database>,
  { precisionMs, silenceMs, uses }: TokenUses,
): Promise<SilentToken[]> {
  const ids = uses.map(({ id }) => id)
  const { rows } = await sql<SilentToken>`
    with before as (
      select id, coalesce(last_used_at, created_at) as since from access_tokens
      where id = any(${ids}::int[]) for no key update skip locked
    ), stored as (
      update access_tokens set last_used_at = used.at, last_address = used.address
      from unnest(
        ${ids}::int[],
        ${uses.map(({ address }) => address)}::text[],
        ${uses.map(({ at }) => at)}::timestamptz[]
      ) as used (id, address, at), before
      where access_tokens.id = used.id and access_tokens.id = before.id
        and (last_used_at is null or last_used_at <= used.at - make_interval(secs => ${precisionMs / 1000}))
      returning access_tokens.id, access_tokens.user_id, used.address, used.at, before.since
    )
    select stored.id, stored.user_id, u.email, stored.address, stored.since
    from stored join users u on u.id = stored.user_id
    where stored.since <= stored.at - make_interval(secs => ${silenceMs / 1000})
  `.execute(db)
  return rows
}
