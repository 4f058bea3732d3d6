import { randomUUID } from 'node:crypto'
import type { TestServer } from './start-test-server.ts'

/** Gives an account a passkey that no authenticator has, and returns its id. */
export async function insertPasskey(
  { database }: Pick<TestServer, 'database'>,
  user_id: number,
): Promise<number> {
  const { id } = await database.db
    .insertInto('passkeys')
    .values({
      user_id,
      name: 'Lost key',
      credential_id: randomUUID(),
      public_key: Buffer.alloc(1),
      sign_count: 0,
      transports: [],
      created_at: new Date().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
