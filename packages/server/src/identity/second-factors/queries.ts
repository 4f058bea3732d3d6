import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

export interface StoredTotp {
  /** Encrypted with the data key. */
  readonly secret: string
  readonly confirmed_at: string | null
  readonly last_step: number | null
}

export async function findTotp(db: Kysely<Database>, user_id: number): Promise<StoredTotp | undefined> {
  return db
    .selectFrom('totp_secrets')
    .select(['secret', 'confirmed_at', 'last_step'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

/** Stores an unconfirmed secret in place of another one. False when the account has a confirmed one. */
export async function storeTotp(
  db: Kysely<Database>,
  { now, secret, user_id }: { readonly user_id: number; readonly secret: string; readonly now: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('totp_secrets')
    .values({ user_id, secret, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret, created_at: now, last_step: null })
        .where('totp_secrets.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

interface UsedStep {
  readonly user_id: number
  readonly step: number
}

/** Records the step of an accepted code. False when that step or a later one was accepted before. */
export async function useTotpStep(tx: Transaction<Database>, { step, user_id }: UsedStep): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_secrets')
    .set({ last_step: step })
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is not', null)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Confirms a secret with its first code. False when it was replaced, confirmed or removed meanwhile. */
export async function confirmTotpRow(
  tx: Transaction<Database>,
  { now, secret, step, user_id }: UsedStep & { readonly secret: string; readonly now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_secrets')
    .set({ confirmed_at: now, last_step: step })
    .where('user_id', '=', user_id)
    .where('secret', '=', secret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteTotp(tx: Transaction<Database>, user_id: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('totp_secrets')
    .where('user_id', '=', user_id)
    .returning('confirmed_at')
    .executeTakeFirst()
  return deleted !== undefined && deleted.confirmed_at !== null
}

/** The numbers of an account's factors. */
export interface FactorCounts {
  readonly totp: number
  readonly passkeys: number
  readonly recovery_codes: number
}

export async function countFactors(db: Kysely<Database>, user_id: number): Promise<FactorCounts> {
  const { rows } = await sql<FactorCounts>`
    select
      (select count(*) from totp_secrets where user_id = ${user_id}::int and confirmed_at is not null) as totp,
      (select count(*) from passkeys where user_id = ${user_id}::int) as passkeys,
      (select count(*) from recovery_codes where user_id = ${user_id}::int) as recovery_codes
  `.execute(db)
  return rows[0] ?? { totp: 0, passkeys: 0, recovery_codes: 0 }
}

/** Deletes a recovery code. False when there is none with this hash. */
export async function useRecoveryCode(
  tx: Transaction<Database>,
  { code_hash, user_id }: { readonly user_id: number; readonly code_hash: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user_id)
    .where('code_hash', '=', code_hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function replaceRecoveryCodes(
  tx: Transaction<Database>,
  user_id: number,
  hashes: readonly string[],
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
  if (hashes.length === 0) return
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id, code_hash })))
    .execute()
}

/** Deletes every factor of an account, confirmed or not. */
export async function deleteFactors(tx: Transaction<Database>, user_id: number): Promise<void> {
  for (const table of ['totp_secrets', 'passkeys', 'recovery_codes'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', user_id).execute()
  }
}

/** Locks the account against another change of its factors until the transaction ends. */
export async function lockAccount(
  tx: Transaction<Database>,
  user_id: number,
): Promise<{ readonly name: string; readonly email: string; readonly role: string } | undefined> {
  return tx
    .selectFrom('users')
    .select(['name', 'email', 'role'])
    .where('id', '=', user_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
