import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import { RolesNotSeparated } from '../../../src/platform/db/separate-roles.ts'
import { createTestDatabase, type TestDatabase, toUrl } from '../../harness/database.ts'
import { silentLog } from '../../harness/silent-log.ts'

const log = silentLog()
const { signal } = new AbortController()

let database: TestDatabase
const endings: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
  await database.drop()
})

const run = (statement: string) => database.pool.query(statement)

/** Creates a role for this test with its URL. */
async function aRole(options = ''): Promise<{ name: string; url: string }> {
  const name = `role_${randomBytes(6).toString('hex')}`
  await run(`create role ${name} login password 'secret' ${options}`)
  endings.push(async () => {
    await run(`reassign owned by ${name} to burgee_owner`)
    await run(`drop owned by ${name}`)
    await run(`drop role ${name}`)
  })
  return { name, url: toUrl({ ...database.connection, user: name, password: 'secret' }) }
}

async function open(url: string, ownerUrl: string | null = database.ownerUrl) {
  const config = { database: { kind: 'external', url, ownerUrl }, dbMaxConnections: 2 } as const
  const opened = await openDatabase({ log, signal }, config)
  endings.push(opened.close)
  return opened
}

async function refusal(url: string, ownerUrl?: string): Promise<string> {
  const error = await open(url, ownerUrl).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(RolesNotSeparated)
  return error instanceof Error ? error.message : ''
}

describe('DATABASE_OWNER_URL', () => {
  it('DATABASE_OWNER_URL is refused when it has the role of DATABASE_URL, in any notation', async () => {
    const { ownerUrl } = database
    expect(await refusal(ownerUrl, ownerUrl)).toContain('connect as the same role "burgee_owner"')
    expect(await refusal(`${ownerUrl}&application_name=other`)).toContain('the same role "burgee_owner"')
    // Nothing was revoked from the owner itself.
    const { pool } = await open(ownerUrl, null)
    await expect(pool.query("update audit_log set action = 'x' where false")).resolves.toBeDefined()
  })

  it('DATABASE_OWNER_URL is refused with another database than that of DATABASE_URL', async () => {
    const other = await createTestDatabase()
    endings.push(other.drop)
    expect(await refusal(other.url)).toContain('name the same database in both')
  })

  it('DATABASE_OWNER_URL is refused while the role of DATABASE_URL is a superuser', async () => {
    const { url } = await aRole('superuser')
    expect(await refusal(url)).toContain('is a superuser')
  })

  it('DATABASE_OWNER_URL is refused while the role of DATABASE_URL is a member of the owner', async () => {
    const { name, url } = await aRole('in role burgee_owner noinherit')
    expect(await refusal(url)).toContain(`run \`revoke "burgee_owner" from "${name}"\``)
  })

  it.each([
    ['a table', 'alter table flags owner to', 'owns flags'],
    ['one partition', 'alter table audit_log_other owner to', 'owns audit_log_other'],
    ['a function', 'alter function refuse_audit_change() owner to', 'owns refuse_audit_change()'],
    ['the schema', 'alter schema public owner to', 'owns the schema public'],
  ])(
    'DATABASE_OWNER_URL is refused while the role of DATABASE_URL owns %s, also with a superuser as owner',
    async (_what, statement, owns) => {
      const { name, url } = await aRole()
      await run(`${statement} ${name}`)
      const said = await refusal(url, toUrl(database.connection))
      expect(said).toContain(owns)
      expect(said).toContain(`reassign owned by "${name}" to "burgee"`)
    },
  )

  it('DATABASE_OWNER_URL is refused while the role of DATABASE_URL owns the database', async () => {
    const { name, url } = await aRole()
    await run(`alter database "${database.connection.database}" owner to ${name}`)
    endings.push(() => run(`alter database "${database.connection.database}" owner to burgee_owner`))
    expect(await refusal(url, toUrl(database.connection))).toContain('owns the database, the schema public')
  })

  it('DATABASE_OWNER_URL may be a superuser: the tables of another owner are granted as well', async () => {
    const { url } = await aRole()
    const { pool } = await open(url, toUrl(database.connection))
    await expect(pool.query('select from flags')).resolves.toBeDefined()
    await expect(pool.query('delete from audit_log')).rejects.toThrow('permission denied')
  })

  it('DATABASE_OWNER_URL revokes what was granted to public, partitions and the schema included', async () => {
    const { url } = await aRole()
    await run('grant all on all tables in schema public to public')
    await run('grant create on schema public to public')
    const { pool } = await open(url)
    for (const statement of [
      'truncate audit_log_other',
      'delete from audit_log',
      'select from audit_chunks_other',
      'create table mine (n int)',
    ])
      await expect(pool.query(statement)).rejects.toThrow('permission denied')
    await expect(pool.query('select from audit_log')).resolves.toBeDefined()
  })

  it('DATABASE_OWNER_URL is refused while the role of DATABASE_URL may change the audit log through a third role', async () => {
    const group = await aRole()
    await run(`grant delete on audit_log to ${group.name}`)
    const { url } = await aRole(`in role ${group.name}`)
    expect(await refusal(url)).toContain('delete on table audit_log')
  })
})

describe('DATABASE_URL alone', () => {
  it("DATABASE_URL alone does everything as the database's owner, also on an empty database", async () => {
    const empty = await createTestDatabase({ from: 'empty' })
    endings.push(empty.drop)
    const { maintenance, pool } = await open(empty.ownerUrl, null)
    await expect(
      pool.query('alter table audit_log disable trigger audit_log_append_only'),
    ).resolves.toBeDefined()
    await expect(maintenance.selectFrom('flags').selectAll().execute()).resolves.toEqual([])
  })
})
