import type { Transaction } from 'kysely'
import type { HashUser } from '../../platform/crypto/user-hash.ts'
import type { Database } from '../../platform/db/tables.ts'
import { deleteSeenUser } from './queries.ts'
import type { SeenUsers } from './seen-users.ts'

export interface RemoveSeenUserDeps {
  readonly hashUser: HashUser
  readonly seenUsers: Pick<SeenUsers, 'forget'>
}

/** Removes a user from the seen users of every day, and what waits to be stored of them here. */
export async function removeSeenUser(
  { hashUser, seenUsers }: RemoveSeenUserDeps,
  tx: Transaction<Database>,
  { environment_id, user_key }: { readonly environment_id: string; readonly user_key: string },
): Promise<void> {
  const user_hash = hashUser(user_key)
  seenUsers.forget(environment_id, user_hash)
  await deleteSeenUser(tx, environment_id, user_hash)
}
