import type { Transaction } from 'kysely'
import type { UserActor } from '../../kernel/actor.ts'
import type { EndedTokens } from '../../kernel/ended-tokens.ts'
import type { Database } from '../../platform/db/tables.ts'
import { deleteUserTokens } from './token-tree-queries.ts'

/** Revokes a user's tokens, except the one that the actor uses. */
export const revokeOtherTokens = (
  tx: Transaction<Database>,
  user_id: number,
  { credential }: UserActor,
): Promise<EndedTokens> =>
  deleteUserTokens(tx, user_id, credential.kind === 'token' ? credential.token_id : null)
