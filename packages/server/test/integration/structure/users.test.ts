import { randomUUID } from 'node:crypto'
import { PASSWORD_MAX_BYTES } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, type TestUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import {
  ADMIN,
  type Answer,
  type As,
  cookieOf,
  startTestServer,
  type TestServer,
} from '../../harness/start-test-server.ts'

const PASSWORD = 'a password of these tests'
const NO_SUCH_ID = 2_147_483_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ fullPasswordCost: true })
})
afterAll(() => server.close())

const newEmail = () => `${randomUUID()}@example.com`

const create = (over: object = {}, as: As = 'admin') =>
  server.call({
    path: '/api/users',
    body: { name: 'Grace', email: newEmail(), role: 'viewer', password: PASSWORD, ...over },
    as,
  })

const patch = (id: number | string, body: object, as: As = 'admin') =>
  server.call({ method: 'PATCH', path: `/api/users/${id}`, body, as })

const remove = (id: number | string, as: As = 'admin') =>
  server.call({ method: 'DELETE', path: `/api/users/${id}`, as })

const list = (as: As = 'admin') => server.call({ path: '/api/users', as })

const logIn = (email: string, password: string) =>
  server.call({ path: '/api/auth/login', body: { email, password }, as: 'anonymous' })

const me = (as: As) => server.call({ path: '/api/auth/me', as })

const newAdmin = () => addUser(server, { email: newEmail(), role: 'admin' })

const as = ({ cookie }: { cookie: string }): As => ({ cookie })

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

async function auditOf(id: number) {
  const { rows } = await server.database.pool.query(
    `select action, actor_email, flag_key, before_data, after_data, metadata, project_id
     from audit_log where metadata->>'resource' = $1 order by id`,
    [`user:${id}`],
  )
  return rows
}

describe('GET /api/users', () => {
  it('the list of users is ordered by id, without passwords or hashes', async () => {
    const { body: created } = await create({ name: 'Listed' })

    const { body, status } = await list()

    expect(status).toBe(200)
    expect(body.at(-1)).toEqual(created)
    expect(body[0]).toEqual({
      id: expect.any(Number),
      name: ADMIN.name,
      email: ADMIN.email,
      role: 'admin',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      disabled_at: null,
      locked_until: null,
      has_password: true,
      is_linked: false,
      second_factors: [],
      email_unconfirmed_since: null,
    })
    const ids: number[] = body.map(({ id }: { id: number }) => id)
    expect(ids).toEqual([...ids].sort((one, other) => one - other))
    expect(JSON.stringify(body)).not.toContain('argon2')
  })
})

describe('POST /api/users', () => {
  it.each(['admin', 'editor', 'viewer'])(
    'a new user responds with 200, is %s and can sign in',
    async (role) => {
      const email = `Grace.${newEmail()}`
      const { body, status } = await create({ email, role })

      expect(status).toBe(200)
      expect(body).toEqual({
        id: expect.any(Number),
        name: 'Grace',
        email,
        role,
        created_at: expect.stringMatching(/Z$/),
        disabled_at: null,
        locked_until: null,
        has_password: true,
        is_linked: false,
        second_factors: [],
        email_unconfirmed_since: null,
      })
      expect((await logIn(email.toUpperCase(), PASSWORD)).body).toMatchObject({ email, role })
    },
  )

  it('the password of a new user is stored as argon2id only, and not logged', async () => {
    const { body } = await create({ password: 'the-canary-password' })
    const row = await server.database.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow()

    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(server.logged()).not.toContain('the-canary-password')
    expect(JSON.stringify(await auditOf(body.id))).not.toMatch(/the-canary-password|argon2/)
  })

  it('a new user is 409 when the e-mail is in use, in any case', async () => {
    const { body } = await create({ email: newEmail() })
    for (const email of [body.email, body.email.toUpperCase(), ADMIN.email, 'ADA@example.com']) {
      const answer = await create({ email })
      expect(answer).toMatchObject({ status: 409, body: { error: expect.any(String) } })
    }
  })

  it('of several concurrent users with one e-mail one is created', async () => {
    const email = newEmail()
    const answers = await Promise.all(
      [email, email.toUpperCase(), email, email].map((email) => create({ email })),
    )
    expect(statuses(answers)).toEqual([200, 409, 409, 409])
  })

  it.each([
    ['a password shorter than 8', { password: '1234567' }],
    ['no password', { password: undefined }],
    ['a password of null', { password: null }],
    ['a password that is no text', { password: 12345678 }],
    ['a password of more than 1,024 bytes', { password: 'ä'.repeat(513) }],
    ['no e-mail', { email: undefined }],
    ['an e-mail without @', { email: 'grace' }],
    ['an e-mail with a blank', { email: 'gr ace@example.com' }],
    ['an e-mail with NUL', { email: 'gra\0ce@example.com' }],
    ['an e-mail of null', { email: null }],
    ['an e-mail of more than 320 characters', { email: `${'x'.repeat(320)}@example.com` }],
    ['no name', { name: undefined }],
    ['a blank name', { name: '  ' }],
    ['no role', { role: undefined }],
    ['an unknown role', { role: 'owner' }],
    ['a role of null', { role: null }],
  ])('a new user is 422 for %s', async (_, over) => {
    const answer = await create(over)
    expect(answer.status).toBe(422)
    expect(answer.body.details.length).toBeGreaterThan(0)
  })

  it('a new user may have a password of 8 characters and of 1,024 bytes', async () => {
    for (const password of ['12345678', 'ä'.repeat(PASSWORD_MAX_BYTES / 2)]) {
      const { body } = await create({ password })
      expect((await logIn(body.email, password)).status).toBe(200)
    }
  })

  it('a new user sees no project without a membership or the role admin', async () => {
    const { body } = await create({ role: 'editor' })
    const cookie = cookieOf((await logIn(body.email, PASSWORD)).headers)
    expect((await server.call({ path: '/api/projects', as: { cookie } })).body).toEqual([])
  })
})

describe('PATCH /api/users/{id}', () => {
  it('PATCH changes the given name and role, and nothing else', async () => {
    const { body: user } = await create()
    expect(await patch(user.id, { name: 'Grace H.' })).toMatchObject({
      status: 200,
      body: { ...user, name: 'Grace H.' },
    })
    expect((await patch(user.id, { role: 'editor' })).body).toEqual({
      ...user,
      name: 'Grace H.',
      role: 'editor',
    })
    expect((await patch(user.id, {})).body).toEqual({ ...user, name: 'Grace H.', role: 'editor' })
  })

  it('PATCH of a user ignores fields that cannot be changed', async () => {
    const { body: user } = await create()
    const others = {
      id: 1,
      email: newEmail(),
      password_hash: 'x',
      created_at: '2020-01-01T00:00:00Z',
      odd: 1,
    }
    const { warnings, ...changed } = (await patch(user.id, { ...others, name: 'Other' })).body
    expect(changed).toEqual({ ...user, name: 'Other' })
    expect(warnings).toMatchObject([{ code: 'field_ignored', path: '/email' }])
    expect((await logIn(user.email, PASSWORD)).status).toBe(200)
  })

  it('a new role takes effect immediately', async () => {
    const user = await addUser(server, { email: newEmail() })
    expect((await list(as(user))).status).toBe(403)
    await patch(user.id, { role: 'admin' })
    expect((await list(as(user))).status).toBe(200)
    await patch(user.id, { role: 'viewer' })
    expect((await list(as(user))).status).toBe(403)
  })

  it('a demoted admin loses the open stream of what only admins read', async () => {
    const user = await newAdmin()
    const environment_id = server.environments.production
    const stream = await readStream(`${server.url}/stream?environment_id=${environment_id}`, {
      cookie: user.cookie,
    })
    await stream.until(({ event }) => event === 'ready')
    await patch(user.id, { role: 'editor' })
    await eventually(() => stream.ended())
  })

  const newToken = async (owner: As) =>
    (await server.call({ path: '/api/tokens', body: { name: 'CI', scope: 'read_only' }, as: owner })).body
      .token

  it('a new password keeps the tokens of the user where the admin asks for it, and those of the admin', async () => {
    const user = await addUser(server, { email: newEmail() })
    const [token, own] = [await newToken(as(user)), await newToken('admin')]
    expect((await patch(user.id, { password: PASSWORD, revoke_tokens: false })).status).toBe(200)
    expect((await me({ bearer: token })).status).toBe(200)
    expect((await patch(user.id, { name: 'Renamed', revoke_tokens: true })).status).toBe(200)
    expect((await me({ bearer: token })).status).toBe(200)
    expect((await patch(user.id, { password: PASSWORD })).status).toBe(200)
    expect((await me({ bearer: token })).status).toBe(401)
    expect((await me({ bearer: own })).status).toBe(200)
  })

  it('a new password ends all sessions, tokens and streams of the user', async () => {
    const user = await addUser(server, { email: newEmail() })
    const second = cookieOf((await logIn(user.email, ADMIN.password)).headers)
    const token = await newToken(as(user))
    const stream = await readStream(`${server.url}/stream`, { cookie: user.cookie })
    await stream.until(({ event }) => event === 'ready')

    expect((await patch(user.id, { password: PASSWORD })).status).toBe(200)

    expect((await me(as(user))).status).toBe(401)
    expect((await me({ cookie: second })).status).toBe(401)
    await eventually(() => stream.ended())
    expect((await me({ bearer: token })).status).toBe(401)
    expect((await logIn(user.email, ADMIN.password)).status).toBe(401)
    expect((await logIn(user.email, PASSWORD)).status).toBe(200)
  })

  it('a new own password ends the other sessions and keeps the current one', async () => {
    const user = await newAdmin()
    const other = cookieOf((await logIn(user.email, ADMIN.password)).headers)
    expect((await patch(user.id, { password: PASSWORD }, as(user))).status).toBe(200)
    expect((await me(as(user))).status).toBe(200)
    expect((await me({ cookie: other })).status).toBe(401)
  })

  it('a change of name or role ends no session', async () => {
    const user = await addUser(server, { email: newEmail() })
    await patch(user.id, { name: 'Other', role: 'editor' })
    expect((await me(as(user))).body).toMatchObject({ name: 'Other', role: 'editor' })
  })

  it.each([
    ['a password shorter than 8', { password: '1234567' }],
    ['a password of null', { password: null }],
    ['a password of more than 1,024 bytes', { password: 'x'.repeat(1025) }],
    ['a blank name', { name: ' ' }],
    ['a name of null', { name: null }],
    ['an unknown role', { role: 'root' }],
    ['a role of null', { role: null }],
    ['a list', [{ name: 'x' }]],
  ])('PATCH of a user is 422 for %s', async (_, body) => {
    const { body: user } = await create()
    expect((await patch(user.id, body)).status).toBe(422)
    expect((await logIn(user.email, PASSWORD)).status).toBe(200)
  })

  it('PATCH of a user is 422 without a body', async () => {
    const { body: user } = await create()
    expect((await server.call({ method: 'PATCH', path: `/api/users/${user.id}` })).status).toBe(422)
  })
})

describe('DELETE /api/users/{id}', () => {
  it('DELETE of a user responds with 204; sessions and tokens are 401 at once, and the login is unknown', async () => {
    const user = await addUser(server, { email: newEmail() })
    const token = await server.call({
      path: '/api/tokens',
      body: { name: 'CI', scope: 'read_write' },
      as: as(user),
    })

    expect(await remove(user.id)).toMatchObject({ status: 204, body: '' })

    expect((await me(as(user))).status).toBe(401)
    expect((await me({ bearer: token.body.token })).status).toBe(401)
    expect((await logIn(user.email, ADMIN.password)).status).toBe(401)
    expect((await remove(user.id)).status).toBe(404)
  })

  it('DELETE of a user cascades to sessions, tokens and memberships', async () => {
    const user = await addUser(server, { email: newEmail(), memberOf: { [server.project.id]: 'editor' } })
    await server.call({ path: '/api/tokens', body: { name: 'CI', scope: 'read_write' }, as: as(user) })

    await remove(user.id)

    const { rows } = await server.database.pool.query(
      `select (select count(*) from sessions where user_id = $1) + (select count(*) from access_tokens where user_id = $1)
        + (select count(*) from project_members where user_id = $1) as left_over`,
      [user.id],
    )
    expect(Number(rows[0].left_over)).toBe(0)
  })

  it("DELETE ends the user's open streams, of sessions and tokens, on every instance", async () => {
    const second = await startTestServer({ database: server.database })
    try {
      const user = await addUser(server, { email: newEmail(), memberOf: { [server.project.id]: 'viewer' } })
      const token = await server.call({
        path: '/api/tokens',
        body: { name: 'CI', scope: 'read_only' },
        as: as(user),
      })
      const authorization = `Bearer ${token.body.token}`
      const streams = await Promise.all([
        readStream(`${server.url}/stream`, { cookie: user.cookie }),
        readStream(`${second.url}/stream`, { cookie: user.cookie }),
        readStream(`${second.url}/stream`, { authorization }),
      ])
      const others = await readStream(`${second.url}/stream`, { cookie: server.cookie })
      for (const stream of [...streams, others]) await stream.until(({ event }) => event === 'ready')

      await remove(user.id)

      for (const stream of streams) await eventually(() => stream.ended())
      expect(others.ended()).toBe(false)
      others.close()
    } finally {
      await second.close()
    }
  })

  it('DELETE is 422 for the own account, by session and by token', async () => {
    const admin = await newAdmin()
    const token = await server.call({
      path: '/api/tokens',
      body: { name: 'CI', scope: 'read_write' },
      as: as(admin),
    })
    expect((await remove(admin.id, as(admin))).status).toBe(422)
    expect((await remove(admin.id, { bearer: token.body.token })).status).toBe(422)
    expect((await me(as(admin))).status).toBe(200)
  })

  it.each(['0', '-1', '1.5', 'x', '%00', '1e3', '2147483648', '99999999999999999999', `${NO_SUCH_ID}`])(
    'DELETE of a user is 404 for the id %s',
    async (id) => {
      expect((await remove(id)).status).toBe(404)
      expect((await patch(id, { name: 'x' })).status).toBe(404)
    },
  )
})

describe('the last admin', () => {
  /** Demotes all other admins while `work` runs, so that these are the only ones. */
  async function asOnlyAdmins(admins: readonly TestUser[], work: () => Promise<void>): Promise<void> {
    const { db } = server.database
    const ids = admins.map(({ id }) => id)
    const others = await db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .where('id', 'not in', ids)
      .execute()
    const otherIds = others.map(({ id }) => id)
    await db.updateTable('users').set({ role: 'viewer' }).where('id', 'in', otherIds).execute()
    try {
      await work()
    } finally {
      await db.updateTable('users').set({ role: 'admin' }).where('id', 'in', otherIds).execute()
    }
  }

  const countAdmins = async () =>
    (await server.database.db.selectFrom('users').select('id').where('role', '=', 'admin').execute()).length

  /** Releases both writes when both wait for the rows of the admins. */
  async function atTheSameTime(calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
    const { pool } = server.database
    const holder = await pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select id from users order by id for update')
      const answers = calls.map((call) => call())
      await eventually(async () => {
        const { rows } = await pool.query(
          `select count(distinct pid) as waiting from pg_locks join pg_stat_activity using (pid)
           where not granted and datname = current_database()`,
        )
        return Number(rows[0].waiting) >= calls.length
      })
      await holder.query('commit')
      return await Promise.all(answers)
    } finally {
      holder.release()
    }
  }

  it('the last admin cannot be demoted: 422', async () => {
    const admin = await newAdmin()
    await asOnlyAdmins([admin], async () => {
      for (const role of ['editor', 'viewer'])
        expect(await patch(admin.id, { role }, as(admin))).toMatchObject({
          status: 422,
          body: { details: [{ path: '/role' }] },
        })
      expect((await patch(admin.id, { role: 'admin', name: 'Still' }, as(admin))).status).toBe(200)
    })
  })

  it('one admin is left when two are demoted at the same time', async () => {
    const [one, two] = [await newAdmin(), await newAdmin()]
    await asOnlyAdmins([one, two], async () => {
      const answers = await atTheSameTime([
        () => patch(one.id, { role: 'viewer' }, as(one)),
        () => patch(two.id, { role: 'viewer' }, as(two)),
      ])
      expect(statuses(answers)).toEqual([200, 422])
      expect(await countAdmins()).toBe(1)
    })
  })

  it('one admin is left when two delete each other at the same time', async () => {
    const [one, two] = [await newAdmin(), await newAdmin()]
    await asOnlyAdmins([one, two], async () => {
      const answers = await atTheSameTime([() => remove(two.id, as(one)), () => remove(one.id, as(two))])
      expect(statuses(answers)).toEqual([204, 422])
      expect(await countAdmins()).toBe(1)
    })
  })

  it('one admin is left when one is deleted while the other is demoted', async () => {
    const [one, two] = [await newAdmin(), await newAdmin()]
    await asOnlyAdmins([one, two], async () => {
      const answers = await atTheSameTime([
        () => remove(two.id, as(one)),
        () => patch(one.id, { role: 'editor' }, as(one)),
      ])
      expect([
        [200, 422],
        [204, 422],
      ]).toContainEqual(statuses(answers))
      expect(await countAdmins()).toBe(1)
    })
  })
})

describe('managing users', () => {
  it.each(['editor', 'viewer'] as const)(
    'a workspace %s who is admin of a project gets 403 for users',
    async (role) => {
      const user = await addUser(server, {
        email: newEmail(),
        role,
        memberOf: { [server.project.id]: 'admin' },
      })
      const { body: target } = await create()
      expect((await list(as(user))).status).toBe(403)
      expect((await create({}, as(user))).status).toBe(403)
      expect((await patch(target.id, { name: 'x' }, as(user))).status).toBe(403)
      expect((await remove(target.id, as(user))).status).toBe(403)
    },
  )

  it('an SDK key gets 403 for users', async () => {
    const key = { bearer: server.sdkKey }
    const { body: target } = await create()
    expect((await list(key)).status).toBe(403)
    expect((await create({}, key)).status).toBe(403)
    expect((await patch(target.id, { name: 'x' }, key)).status).toBe(403)
    expect((await remove(target.id, key)).status).toBe(403)
  })

  it('a read_only token of an admin reads users and changes none: 403', async () => {
    const { body: token } = await server.call({
      path: '/api/tokens',
      body: { name: 'CI', scope: 'read_only' },
    })
    const reader = { bearer: token.token }
    const { body: target } = await create()
    expect((await list(reader)).status).toBe(200)
    expect((await create({}, reader)).status).toBe(403)
    expect((await patch(target.id, { name: 'x' }, reader)).status).toBe(403)
    expect((await remove(target.id, reader)).status).toBe(403)
  })

  it('users are 401 without a credential', async () => {
    expect((await list('anonymous')).status).toBe(401)
    expect((await create({}, 'anonymous')).status).toBe(401)
    expect((await patch(1, {}, 'anonymous')).status).toBe(401)
    expect((await remove(1, 'anonymous')).status).toBe(401)
  })

  it('a change of users by cookie without X-Flagservice-Request is 403', async () => {
    const body = { name: 'Grace', email: newEmail(), role: 'viewer', password: PASSWORD }
    const headers = { cookie: server.cookie }
    expect((await server.call({ path: '/api/users', body, as: 'anonymous', headers })).status).toBe(403)
  })

  it('for users 404 comes before 403, 403 before 422, and 404 before 422', async () => {
    const user = await addUser(server, { email: newEmail() })
    expect((await patch(NO_SUCH_ID, { name: 'x' }, as(user))).status).toBe(404)
    expect((await remove(NO_SUCH_ID, as(user))).status).toBe(404)
    expect((await create({ password: 'x' }, as(user))).status).toBe(403)
    expect((await patch(NO_SUCH_ID, { role: 'root' })).status).toBe(404)
    expect((await patch(NO_SUCH_ID, { password: 'x'.repeat(1025) })).status).toBe(404)
  })
})

describe('users in the audit log', () => {
  it('the audit log has each change of a user, with the actor, and never a password', async () => {
    const admin = await newAdmin()
    const { body: user } = await create({ name: 'Audited' }, as(admin))
    await patch(user.id, { role: 'editor' }, as(admin))
    await patch(user.id, { password: 'another-secret-password' }, as(admin))
    await remove(user.id, as(admin))

    const entries = await auditOf(user.id)

    const shown = { name: 'Audited', email: user.email, role: 'viewer' }
    const editor = { ...shown, role: 'editor' }
    const common = {
      actor_email: admin.email,
      flag_key: '',
      project_id: null,
      metadata: { origin: 'direct' },
    }
    expect(entries).toMatchObject([
      { ...common, action: 'create', before_data: null, after_data: shown },
      { ...common, action: 'update', before_data: shown, after_data: editor },
      {
        ...common,
        action: 'update',
        before_data: editor,
        after_data: editor,
        metadata: { password: 'changed' },
      },
      { ...common, action: 'delete', before_data: editor, after_data: null },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/another-secret-password|argon2/)
  })
})

describe("one's own name", () => {
  it('is changed without the rights of an admin, and nothing else is', async () => {
    const { cookie, id } = await addUser(server, { email: 'own-name@example.com', role: 'viewer' })
    const patch = (body: object) =>
      server.call({ method: 'PATCH', path: '/api/auth/me', body, as: { cookie } })
    const changed = await patch({ name: 'New name', email: 'other@example.com', role: 'admin' })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'New name', email: 'own-name@example.com', role: 'viewer' },
    })
    expect(changed.body.warnings.map(({ path }: { path: string }) => path)).toEqual(['/email', '/role'])
    expect((await server.call({ path: '/api/auth/me', as: { cookie } })).body.name).toBe('New name')
    expect((await patch({ name: ' ' })).status).toBe(422)
    expect((await patch({})).status).toBe(200)
    const { rows } = await server.database.pool.query(
      "select actor_email from audit_log where metadata ->> 'resource' = $1 order by id desc limit 1",
      [`user:${id}`],
    )
    expect(rows[0].actor_email).toBe('own-name@example.com')
  })
})
