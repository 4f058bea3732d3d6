import type { World } from './world.ts'

interface NewAccount {
  readonly disabled_at?: string
  /** The roles by project. */
  readonly memberOf?: Readonly<Record<string, string>>
}

/** Inserts a service account directly into the database and returns its id. */
export async function insertServiceAccount(
  { newName, server }: Pick<World, 'newName' | 'server'>,
  { disabled_at, memberOf = {} }: NewAccount = {},
): Promise<number> {
  const { db } = server.database
  const name = newName('robot')
  const { id } = await db
    .insertInto('users')
    .values({
      ...{ name, email: `service-account:${name}`, role: 'viewer', password_hash: null },
      ...{ kind: 'service_account', disabled_at: disabled_at ?? null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = Object.entries(memberOf).map(([project_id, role]) => ({ project_id, user_id: id, role }))
  if (rows.length > 0) await db.insertInto('project_members').values(rows).execute()
  return id
}
