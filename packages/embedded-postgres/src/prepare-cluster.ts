import pg from 'pg'
import { isOpen, requirePasswords } from './authentication-file.ts'
import { APPLICATION, OWNER, passwordOf, SUPERUSER } from './cluster-roles.ts'
import { keepSecret, readSecret } from './cluster-secret.ts'
import type { DatabaseAddress } from './database-address.ts'
import type { Log } from './log.ts'
import type { PostgresAccount } from './postgres-account.ts'
import { newSecret } from './random-text.ts'
import { takeOwnership } from './take-ownership.ts'

interface PreparedCluster {
  readonly dataDir: string
  readonly folder: string
  readonly account: PostgresAccount
  readonly address: Pick<DatabaseAddress, 'host' | 'port'>
  readonly database: string
}

/**
 * Gives the cluster its roles, their passwords and the application's database, and takes over clusters of
 * earlier versions, where the superuser owned everything and had no password. Returns the secret of the
 * roles. `client` is the superuser's session that holds the cluster's lock. The next start completes one that
 * was killed.
 */
export async function prepareCluster(
  deps: { readonly log: Log },
  client: pg.Client,
  cluster: PreparedCluster,
): Promise<string> {
  const secret = await providePasswords(client, cluster)
  await requirePasswords(client, cluster)
  await provideDatabase(deps, client, { ...cluster, secret })
  return secret
}

/**
 * Sets the passwords. They are stored in the database before the secret is stored in its file, and passwords
 * are required last: until then the next start can connect and complete this.
 */
async function providePasswords(
  client: pg.Client,
  { account, dataDir }: Pick<PreparedCluster, 'account' | 'dataDir'>,
): Promise<string> {
  const known = await readSecret(dataDir)
  const secret = known ?? newSecret()
  const areUnset = known === null || (await isOpen(client))
  const { rows } = await client.query<{ name: string }>('select rolname as name from pg_roles')
  const present = rows.map(({ name }) => name)
  const statements = ([SUPERUSER, OWNER, APPLICATION] as const).flatMap((role) => {
    const password = `password ${client.escapeLiteral(passwordOf(secret, role))}`
    if (!present.includes(role)) return [`create role ${role} login ${password}`]
    return areUnset ? [`alter role ${role} ${password}`] : []
  })
  if (statements.length > 0) await client.query(`begin; ${statements.join('; ')}; commit`)
  return known ?? keepSecret(dataDir, account, secret)
}

/** Creates the database, or gives it to the owner with everything in it. */
async function provideDatabase(
  { log }: { readonly log: Log },
  client: pg.Client,
  { address, database, secret }: PreparedCluster & { readonly secret: string },
): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [database],
  )
  const name = client.escapeIdentifier(database)
  if (rows[0] === undefined) await client.query(`create database ${name} owner ${OWNER}`)
  else if (rows[0].owner !== OWNER) {
    log.info('giving the tables of an earlier version to the role that owns them now')
    const inside = new pg.Client({
      ...address,
      database,
      user: SUPERUSER,
      password: passwordOf(secret, SUPERUSER),
    })
    await inside.connect()
    await takeOwnership(inside, OWNER).finally(() => inside.end())
    await client.query(`alter database ${name} owner to ${OWNER}`)
  }
}
