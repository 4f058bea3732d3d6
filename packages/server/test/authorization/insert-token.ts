import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../src/platform/crypto/hash-secret.ts'
import type { World } from './world.ts'

interface NewToken {
  readonly user_id: number
  readonly scope?: 'read_only' | 'read_write'
  /** The expiry, ISO 8601 in UTC; absent for none. */
  readonly expires_at?: string
}

/** Inserts a personal access token directly into the database, also one that the API would not create. */
export async function insertToken(
  { server }: Pick<World, 'server'>,
  { expires_at, scope = 'read_write', user_id }: NewToken,
): Promise<{ id: number; token: string }> {
  const token = `pat_${randomBytes(32).toString('base64url')}`
  const { id } = await server.database.db
    .insertInto('access_tokens')
    .values({
      user_id,
      name: 'Matrix',
      token_hash: hashSecret(token),
      prefix: `${token.slice(0, 8)}…`,
      scope,
      last_used_at: null,
      expires_at: expires_at ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token }
}
