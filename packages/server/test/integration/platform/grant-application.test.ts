import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectDatabase, type OpenDatabase } from '../../../src/platform/db/connect.ts'
import { grantApplication } from '../../../src/platform/db/grant-application.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { isWaitingForALock } from '../../harness/is-waiting-for-a-lock.ts'
import { silentLog } from '../../harness/silent-log.ts'

const log = silentLog()
let database: TestDatabase
let application: OpenDatabase
let owner: OpenDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  application = connectDatabase({ connection: database.url, max_connections: 1, log })
  owner = connectDatabase({ connection: database.ownerUrl, max_connections: 2, log })
})
afterAll(async () => {
  await application.close()
  await owner.close()
  await database.drop()
})

const held = async (table: string) => {
  const { rows } = await database.pool.query<{ privilege: string }>(
    `select privilege from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'trigger', 'references']) as privilege
      where has_table_privilege('burgee_app', $1, privilege)`,
    [table],
  )
  return rows.map(({ privilege }) => privilege)
}

it('the role that serves requests reads and writes rows, and only adds to the audit log', async () => {
  expect((await application.pool.query('select current_user as role')).rows).toEqual([{ role: 'burgee_app' }])
  expect(await held('flags')).toEqual(['select', 'insert', 'update', 'delete'])
  expect(await held('impressions')).toEqual(['select', 'insert', 'update', 'delete'])
  expect(await held('audit_log')).toEqual(['select', 'insert'])
  expect(await held('audit_chunks')).toEqual(['select', 'insert'])
  expect(await held('audit_log_until_upgrade')).toEqual([])
  expect(await held('kysely_migration')).toEqual(['select'])
})

it.each([
  "update audit_log set action = 'x'",
  'delete from audit_log',
  'truncate audit_log',
  'alter table audit_log disable trigger all',
  'alter table audit_log disable trigger audit_log_append_only',
  'drop trigger audit_log_append_only on audit_log',
  'drop function refuse_audit_change() cascade',
  'create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin return new; end $$',
  'create trigger quiet before insert on audit_log for each row execute function refuse_audit_change()',
  'create rule quiet as on insert to audit_log do instead nothing',
  'alter table audit_log owner to burgee_app',
  'drop table audit_log',
  'alter table audit_log detach partition audit_log_other',
  'delete from audit_log_other',
  'delete from audit_chunks',
  'create table notes (n int)',
  'delete from kysely_migration',
])('the role that serves requests is refused: %s', async (statement) => {
  await expect(application.pool.query(statement)).rejects.toThrow(/permission denied|must be owner/)
})

it("functions that run with the owner's rights are revoked again at the next start", async () => {
  await owner.pool.query("create function as_owner() returns int language sql security definer as 'select 1'")
  await owner.pool.query('grant execute on function as_owner() to burgee_app')

  await grantApplication({ owner: owner.db, log }, 'burgee_app')

  await expect(application.pool.query('select as_owner()')).rejects.toThrow('permission denied for function')
  await expect(owner.pool.query('select as_owner()')).resolves.toMatchObject({ rowCount: 1 })
})

it('the role cannot read a month of the audit log that is not attached', async () => {
  const months = ['audit_log_209901', 'audit_chunks_209901', 'audit_log_expired_201901']
  for (const month of months) await owner.pool.query(`create table ${month} (like audit_log)`)

  await grantApplication({ owner: owner.db, log }, 'burgee_app')

  for (const month of months) expect(await held(month)).toEqual([])
})

it('a table of a later migration is granted at the next start, and an excessive right is revoked', async () => {
  await owner.pool.query('create table later (n int)')
  await owner.pool.query('grant all on audit_log to burgee_app')

  await Promise.all([
    grantApplication({ owner: owner.db, log }, 'burgee_app'),
    grantApplication({ owner: owner.db, log }, 'burgee_app'),
  ])

  expect(await held('later')).toEqual(['select', 'insert', 'update', 'delete'])
  expect(await held('audit_log')).toEqual(['select', 'insert'])
})

it('a role whose name needs quotes is granted like any other', async () => {
  const role = `Odd "name" ${Date.now()}`
  await database.pool.query(`create role "${role.replaceAll('"', '""')}"`)
  await grantApplication({ owner: owner.db, log }, role)
  const { rows } = await database.pool.query("select has_table_privilege($1, 'flags', 'update') as may", [
    role,
  ])
  expect(rows).toEqual([{ may: true }])
  await database.pool.query(`drop owned by "${role.replaceAll('"', '""')}"`)
  await database.pool.query(`drop role "${role.replaceAll('"', '""')}"`)
})

it('rights are granted when another session has ended its own grants, in short waits', async () => {
  await owner.pool.query('create table contested (n int)')
  const other = await database.pool.connect()
  await other.query('begin; grant select on contested to public')
  const granted = grantApplication({ owner: owner.db, log }, 'burgee_app')
  for (let tried = 0; tried < 2; tried += 1) {
    await eventually(() => isWaitingForALock(database.pool))
    await eventually(async () => !(await isWaitingForALock(database.pool)))
  }
  await other.query('rollback')
  other.release()
  await granted
  expect(await held('contested')).toEqual(['select', 'insert', 'update', 'delete'])
})
