import { randomUUID } from 'node:crypto'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createGroupChanges } from '../../../../src/identity/group-roles/index.ts'
import type { Bus } from '../../../../src/platform/bus/bus.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { eventually } from '../../../harness/eventually.ts'
import { insertUser } from '../../../harness/insert-user.ts'
import { isWaitingForALock } from '../../../harness/is-waiting-for-a-lock.ts'
import { silentLog } from '../../../harness/silent-log.ts'
import { startTestServer, type TestServer } from '../../../harness/start-test-server.ts'
import { type SsoServer, ssoSettings, startSsoServer } from '../../../single-sign-on/start-sso-server.ts'

const PEOPLE = 250

let sso: SsoServer
let second: TestServer
let group: string

beforeAll(async () => {
  sso = await startSsoServer()
  const env = ssoSettings(sso.provider.issuer, sso.server.url)
  second = await startTestServer({ database: sso.server.database, env })
})
afterAll(async () => {
  await second.close()
  await sso.close()
})
beforeEach(async () => {
  await sso.server.database.db.deleteFrom('group_mappings').execute()
  group = `group-${randomUUID()}`
})

const map = (role: string, project_id: string | null = sso.server.project.id, on = sso.server) =>
  on.call({ path: '/api/workspace/sso/mappings', body: { group, project_id, role } })
const unmap = (id: number, on = sso.server) =>
  on.call({ method: 'DELETE', path: `/api/workspace/sso/mappings/${id}` })

/** Inserts people whose last login was in the group. */
async function insertPeople(count: number): Promise<void> {
  await sql`
    with people as (
      insert into users (name, email, role, created_at)
      select 'P', ${group}::text || '-' || n || '@example.com', 'viewer', now() from generate_series(1, ${count}::int) n
      returning id, email
    )
    insert into identities (user_id, issuer, subject, email, groups, created_at, last_login_at)
    select id, 'https://id.example', email, email, array[${group}::text], now(), now() from people
  `.execute(sso.server.database.db)
}

const countMembers = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from project_members m join users u on u.id = m.user_id
    where u.email like ${`${group}-%`}`.execute(sso.server.database.db)
  return rows[0]?.count ?? 0
}
/** Puts the people of the group as a change of the table does whose instance stops before it applies it. */
const putEveryone = async () => {
  const { db } = sso.server.database
  await sql`insert into waiting_group_changes (user_id, requested_by)
    select user_id, 'ada@example.com' from identities where groups @> ${[group]}::text[]`.execute(db)
  await sql`update workspace set groups_revision = groups_revision + 1`.execute(db)
}
/** Changes of rights reach the other instances by their poll alone. */
const noBus: Bus = {
  publish: () => undefined,
  subscribe: () => () => undefined,
  close: async () => undefined,
}
/** Creates a worker as an instance has one, whose queries are counted. */
function startWorker() {
  const { database } = sso.server
  let queries = 0
  const count: KyselyPlugin = {
    transformQuery({ node }) {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const db = database.db.withPlugin(count)
  const deps = { db, bus: noBus, clock: systemClock, log: silentLog(), onAccessChanged: () => {} }
  return { ...createGroupChanges(deps), queries: () => queries }
}
const countWaiting = async (): Promise<number> => {
  const rows = await sso.server.database.db.selectFrom('waiting_group_changes').select('user_id').execute()
  return rows.length
}

describe('a change of the table of groups', () => {
  test('is applied to everyone once, on two instances at the same time', async () => {
    await insertPeople(PEOPLE)

    const { body } = await map('viewer')
    await eventually(async () => (await countMembers()) === PEOPLE)
    const [deleted, added] = await Promise.all([unmap(body.id), map('editor', null, second)])
    expect([deleted.status, added.status]).toEqual([204, 200])

    await eventually(async () => (await countWaiting()) === 0)
    expect(await countMembers()).toBe(0)
    const { rows } = await sql<{ action: string; count: number }>`
      select action, count(*)::int as count from audit_log
      where metadata ->> 'by' = 'groups' and coalesce(after_data, before_data) ->> 'email' like ${`${group}-%`}
        and metadata ->> 'resource' like 'member:%' group by action order by action
    `.execute(sso.server.database.db)
    expect(rows).toEqual([
      { action: 'create', count: PEOPLE },
      { action: 'delete', count: PEOPLE },
    ])
    const roles = sso.server.database.db.selectFrom('users').select('role').distinct()
    expect(await roles.where('email', 'like', `${group}-%`).execute()).toEqual([{ role: 'editor' }])
  })

  test('goes on where an instance has stopped in the middle', async () => {
    await insertPeople(PEOPLE)
    const { db } = sso.server.database
    await sql`insert into group_mappings (group_name, project_id, role, created_at)
      values (${group}, ${sso.server.project.id}::uuid, 'viewer', now())`.execute(db)
    const stopping = startWorker()
    await putEveryone()
    const applying = stopping.apply()
    await eventually(async () => (await countMembers()) > 0)
    await stopping.close()
    await applying

    await eventually(async () => (await countWaiting()) === 0)
    expect(await countMembers()).toBe(PEOPLE)
  })

  test('costs no query while no group has changed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
    const timers = vi.getTimerCount()
    const worker = startWorker()
    expect(vi.getTimerCount()).toBe(timers)
    vi.useRealTimers()
    expect(worker.queries()).toBe(0)

    await worker.apply()

    expect(worker.queries()).toBe(1)
    await worker.close()
  })

  test('is tried again for a person to whom the database refused it, and for the others at once', async () => {
    await insertPeople(3)
    const { db } = sso.server.database
    const refuse = `create function refuse_member() returns trigger language plpgsql as $$ begin
      if new.user_id = (select min(user_id) from waiting_group_changes) then raise 'not now'; end if;
      return new; end $$;
      create trigger refuse_member before insert on project_members for each row execute function refuse_member()`
    await sql.raw(refuse).execute(db)
    expect((await map('viewer')).status).toBe(200)
    await eventually(async () => (await countMembers()) === 2)
    expect(await countWaiting()).toBe(1)

    await sql`drop function refuse_member cascade`.execute(db)

    await eventually(async () => (await countWaiting()) === 0)
    expect(await countMembers()).toBe(3)
  })

  test('locks one person at a time, so that it waits for no one else and holds no one up', async () => {
    await insertPeople(3)
    const db = sso.server.database.db
    const ids = await db
      .selectFrom('users')
      .select('id')
      .where('email', 'like', `${group}-%`)
      .orderBy('id')
      .execute()
    const [first, middle] = ids
    if (!first || !middle) throw new Error('no people')
    // Someone holds the second person, and then wants the first one: the other order of the transaction.
    const holding = await db.startTransaction().execute()
    await holding.selectFrom('users').select('id').where('id', '=', middle.id).forUpdate().execute()
    const mapped = map('viewer')
    await eventually(() => isWaitingForALock(sso.server.database.pool))
    await holding.selectFrom('users').select('id').where('id', '=', first.id).forUpdate().execute()
    await holding.commit().execute()

    expect((await mapped).status).toBe(200)
    await eventually(async () => (await countWaiting()) === 0)
    expect(await countMembers()).toBe(3)
  })

  test('waits for a login that has read the table, so that the login keeps nothing that was taken', async () => {
    const { body } = await map('viewer')
    const person = `person-${group}`
    sso.provider.people.set(person, {
      email: `${person}@example.com`,
      email_verified: true,
      name: 'P',
      groups: [group],
    })
    const { cookie: keeping } = await sso.logIn(person)
    expect(keeping).not.toBe('')
    const db = sso.server.database.db
    // The login waits for the last lock that it takes, after it has read the table.
    const holding = await db.startTransaction().execute()
    await holding.selectFrom('workspace').select('id').forUpdate().execute()
    const { project_id, user_id } = await db
      .selectFrom('project_members')
      .innerJoin('users', 'users.id', 'user_id')
      .select(['project_id', 'user_id'])
      .where('email', '=', `${person}@example.com`)
      .executeTakeFirstOrThrow()
    await db
      .deleteFrom('project_members')
      .where('project_id', '=', project_id)
      .where('user_id', '=', user_id)
      .execute()
    const login = sso.logIn(person)
    await eventually(() => isWaitingForALock(sso.server.database.pool))
    const deleting = unmap(body.id, second)
    await eventually(() => isWaitingForALock(sso.server.database.pool, 2))
    await holding.commit().execute()

    expect((await login).cookie).not.toBe('')
    expect((await deleting).status).toBe(204)
    await eventually(async () => (await countWaiting()) === 0)
    const left = db.selectFrom('project_members').select('role').where('user_id', '=', user_id)
    expect(await left.execute()).toEqual([])
  })
})

describe('a workspace role that an admin has set by hand', () => {
  const logIn = async (email: string) => {
    sso.provider.people.set(email, { email, email_verified: true, name: email, groups: [group] })
    return sso.logIn(email)
  }
  const roleOf = async (cookie: string) =>
    (await sso.server.call({ path: '/api/auth/me', as: { cookie } })).body.role
  const setRole = async (email: string, role: string) => {
    const users = sso.server.database.db.selectFrom('users').select('id').where('email', '=', email)
    const { id } = await users.executeTakeFirstOrThrow()
    return sso.server.call({ method: 'PATCH', path: `/api/users/${id}`, body: { role } })
  }

  test('viewer is not raised by groups at the next login, nor by a change of the table', async () => {
    const email = `pinned-${group}@example.com`
    const { body } = await map('editor', null)
    const { cookie } = await logIn(email)
    expect(await roleOf(cookie)).toBe('editor')

    expect((await setRole(email, 'viewer')).status).toBe(200)

    await map('viewer')
    const next = await logIn(email)
    expect(await roleOf(next.cookie)).toBe('viewer')
    await unmap(body.id)
    await map('admin', null)
    expect(await roleOf(next.cookie)).toBe('viewer')
  })

  test('an account that was created as a viewer is raised', async () => {
    const { email, id } = await insertUser(sso.server, { email: `raised-${group}@example.com` })
    await map('editor', null)
    await sql`insert into identities (user_id, issuer, subject, email, groups, created_at, last_login_at)
      values (${id}, ${sso.provider.issuer}, ${email}, ${email}, '{}', now(), now())`.execute(
      sso.server.database.db,
    )

    expect(await roleOf((await logIn(email)).cookie)).toBe('editor')
  })
})
