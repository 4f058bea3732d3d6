import type { Passkey } from '@burgee/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../../platform/db/tables.ts'
import type { OpenedChallenge } from './challenges.ts'
import type { KnownCredential, StoredPasskey } from './passkey.ts'
import type { NewCredential } from './verify-response.ts'

const COLUMNS = ['id', 'name', 'created_at', 'last_used_at'] as const

/** Returns the passkeys of an account, the oldest first. */
export async function listPasskeys(db: Kysely<Database>, user_id: number): Promise<Passkey[]> {
  return db.selectFrom('passkeys').select(COLUMNS).where('user_id', '=', user_id).orderBy('id').execute()
}

export async function listCredentials(db: Kysely<Database>, user_id: number): Promise<KnownCredential[]> {
  return db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()
}

/** A passkey with the e-mail address of its owner, for the audit log. */
export type OwnedPasskey = StoredPasskey & { readonly email: string }

export async function findPasskey(
  db: Kysely<Database>,
  credential_id: string,
): Promise<OwnedPasskey | undefined> {
  return db
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.name', 'p.created_at', 'p.last_used_at'])
    .select(['p.user_id', 'p.credential_id', 'p.public_key', 'p.sign_count', 'u.email'])
    .where('p.credential_id', '=', credential_id)
    .executeTakeFirst()
}

interface NewPasskey extends NewCredential {
  readonly user_id: number
  readonly name: string
  readonly transports: string[]
  readonly created_at: string
}

/** Stores a passkey. Undefined when its credential is registered already, for whichever account. */
export async function insertPasskey(
  tx: Transaction<Database>,
  passkey: NewPasskey,
): Promise<Passkey | undefined> {
  return tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

interface Owned {
  readonly id: number
  readonly user_id: number
}

/**
 * Renames a passkey of an account. Returns its earlier name, and the passkey; undefined when there is none.
 */
export async function renamePasskeyRow(
  tx: Transaction<Database>,
  { id, name, user_id }: Owned & { readonly name: string },
): Promise<{ readonly before: string; readonly passkey: Passkey } | undefined> {
  const before = await tx
    .selectFrom('passkeys')
    .select('name')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return undefined
  const passkey = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return { before: before.name, passkey }
}

/** Deletes a passkey of an account, and returns its name; undefined when there is none. */
export async function deletePasskey(
  tx: Transaction<Database>,
  { id, user_id }: Owned,
): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returning('name')
    .executeTakeFirst()
  return deleted?.name
}

/**
 * Records the use of a passkey. False when it was removed, or a later use has stored this count meanwhile.
 */
export async function storePasskeyUse(
  tx: Transaction<Database>,
  { id, now, sign_count }: { readonly id: number; readonly sign_count: number; readonly now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ sign_count, last_used_at: now })
    .where('id', '=', id)
    .$if(sign_count > 0, (update) => update.where('sign_count', '<', sign_count))
    .$if(sign_count === 0, (update) => update.where('sign_count', '=', 0))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Uses a challenge up. False when it was used before, on any instance. */
export async function useChallenge(tx: Transaction<Database>, challenge: OpenedChallenge): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('used_challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export async function isUsed(
  db: Kysely<Database>,
  { challenge_hash }: Pick<OpenedChallenge, 'challenge_hash'>,
): Promise<boolean> {
  const used = await db
    .selectFrom('used_challenges')
    .select('challenge_hash')
    .where('challenge_hash', '=', challenge_hash)
    .executeTakeFirst()
  return used !== undefined
}
