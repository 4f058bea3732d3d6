import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, signIn, type TestUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { readStream } from '../../harness/read-stream.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS
const NO_SUCH_ID = 2_147_483_000

const clock = createManualClock()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server.close())

const newUser = (over: Partial<Parameters<typeof addUser>[1]> = {}): Promise<TestUser> =>
  addUser(server, { email: `${randomUUID()}@example.com`, ...over })

const as = ({ cookie }: { cookie: string }): As => ({ cookie })

const create = (body: object, who: As = 'admin') =>
  server.call({ path: '/api/tokens', body: { name: 'CI', scope: 'read_write', ...body }, as: who })

async function newToken(body: object = {}, who: As = 'admin') {
  const answer = await create(body, who)
  expect(answer.status).toBe(200)
  return answer.body
}

const list = async (who: As = 'admin') => (await server.call({ path: '/api/tokens', as: who })).body

const revoke = (id: number | string, who: As = 'admin') =>
  server.call({ method: 'DELETE', path: `/api/tokens/${id}`, as: who })

const me = (token: string, on = server) => on.call({ path: '/api/auth/me', as: { bearer: token } })

const lastUsed = async (id: number) => {
  const { last_used_at } = await server.database.db
    .selectFrom('access_tokens')
    .select('last_used_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return last_used_at
}

describe('POST /api/tokens', () => {
  it('POST /api/tokens responds with the record and the full token, which no other response has', async () => {
    const user = await newUser()
    const { body, headers, status } = await create({ name: 'Deploy', scope: 'read_only' }, as(user))

    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Deploy',
      token: expect.stringMatching(/^pat_[\w-]{43}$/),
      prefix: expect.stringMatching(/^pat_.{4}…$/),
      scope: 'read_only',
      created_at: clock.now().toISOString(),
      expires_at: null,
      parent_id: null,
      parent_name: null,
    })
    expect(body.token.startsWith(body.prefix.slice(0, -1))).toBe(true)
    expect(headers.get('cache-control')).toBe('no-store')
    const { token, ...record } = body
    const listed = await list(as(user))
    expect(listed).toEqual([{ ...record, last_used_at: null, last_address: null }])
    expect(JSON.stringify(listed)).not.toContain(token)
  })

  it('POST /api/tokens stores only the SHA-256 of the token, and logs nothing of it', async () => {
    const { id, token } = await newToken()
    await me(token)
    const { rows } = await server.database.pool.query(
      `select token_hash, encode(sha256($2::bytea), 'hex') as expected, access_tokens::text as everything
       from access_tokens where id = $1`,
      [id, Buffer.from(token)],
    )
    expect(rows[0].token_hash).toBe(rows[0].expected)
    expect(rows[0].everything).not.toContain(token)
    expect(server.logged()).not.toContain(token)
  })

  it.each([1, 30, 365])('POST /api/tokens accepts an expiry of %i days', async (expires_in_days) => {
    const { expires_at } = await newToken({ expires_in_days })
    expect(expires_at).toBe(new Date(clock.now().getTime() + expires_in_days * DAY_MS).toISOString())
  })

  it('POST /api/tokens accepts null for no expiry', async () => {
    expect((await newToken({ expires_in_days: null })).expires_at).toBeNull()
  })

  it.each([
    ['an expiry of 0 days', { expires_in_days: 0 }],
    ['an expiry of 366 days', { expires_in_days: 366 }],
    ['a negative expiry', { expires_in_days: -1 }],
    ['an expiry of a day and a half', { expires_in_days: 1.5 }],
    ['an expiry that is text', { expires_in_days: '30' }],
    ['an unknown scope', { scope: 'admin' }],
    ['no scope', { scope: undefined }],
    ['a scope of null', { scope: null }],
    ['no name', { name: undefined }],
    ['a blank name', { name: ' ' }],
    ['a name with NUL', { name: 'a\0' }],
  ])('answers 422 for %s', async (_, body) => {
    expect((await create(body)).status).toBe(422)
  })

  it('a read_write token creates tokens of its owner, of both scopes', async () => {
    const user = await newUser()
    const { token } = await newToken({}, as(user))
    await newToken({ scope: 'read_write' }, { bearer: token })
    await newToken({ scope: 'read_only' }, { bearer: token })
    expect(await list(as(user))).toHaveLength(3)
  })

  it('a read_only token asking for read_write gets 403, and so it does for read_only', async () => {
    const user = await newUser()
    const { token } = await newToken({ scope: 'read_only' }, as(user))
    for (const scope of ['read_write', 'read_only', 'nonsense'])
      expect((await create({ scope }, { bearer: token })).status).toBe(403)
    expect(await list(as(user))).toHaveLength(1)
  })

  it('POST /api/tokens by cookie without X-Flagservice-Request is 403', async () => {
    const body = { name: 'CI', scope: 'read_only' }
    const answer = await server.call({
      path: '/api/tokens',
      body,
      as: 'anonymous',
      headers: { cookie: server.cookie },
    })
    expect(answer.status).toBe(403)
  })
})

describe('a personal access token acts as its owner', () => {
  it('a personal access token can call GET /api/auth/me', async () => {
    const user = await newUser({ role: 'editor' })
    const { token } = await newToken({}, as(user))
    expect(await me(token)).toMatchObject({ status: 200, body: { email: user.email, role: 'editor' } })
  })

  it('a personal access token has the current role and memberships of its owner', async () => {
    const { db } = server.database
    const user = await newUser({ memberOf: { [server.project.id]: 'viewer' } })
    const { token } = await newToken({}, as(user))
    const write = async () => {
      const path = `/api/environments/${server.environments.production}/flags`
      const flag = { key: `flag-${randomUUID()}`, is_enabled: true }
      return (await server.call({ path, body: flag, as: { bearer: token } })).status
    }
    const users = async () => (await server.call({ path: '/api/users', as: { bearer: token } })).status

    expect(await write()).toBe(403)
    await db.updateTable('project_members').set({ role: 'editor' }).where('user_id', '=', user.id).execute()
    expect(await write()).toBe(200)
    await db.deleteFrom('project_members').where('user_id', '=', user.id).execute()
    expect(await write()).toBe(403)
    expect(await users()).toBe(403)
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute()
    expect([await users(), await write()]).toEqual([200, 200])
  })

  it('needs no X-Flagservice-Request', async () => {
    const { token } = await newToken()
    const answer = await server.call({
      path: '/api/projects',
      body: { name: `P ${randomUUID()}` },
      as: { bearer: token },
    })
    expect(answer.status).toBe(200)
  })

  it('opens a stream like a session and is refused the snapshot with 400', async () => {
    const { token } = await newToken({ scope: 'read_only' })
    const stream = await readStream(`${server.url}/stream`, { authorization: `Bearer ${token}` })
    const connected = await stream.until(({ event }) => event === 'connected')
    expect(connected.data).toEqual({ environment_id: null })
    await stream.until(({ event }) => event === 'ready')
    stream.close()
    expect((await server.call({ path: '/flags/snapshot', as: { bearer: token } })).status).toBe(400)
  })

  it('a read_only token reads, and gets 403 for every write', async () => {
    const { id, token } = await newToken({ scope: 'read_only' })
    const reader = { bearer: token }
    expect((await server.call({ path: '/api/projects', as: reader })).status).toBe(200)
    expect((await server.call({ path: '/api/users', as: reader })).status).toBe(200)
    const writes = [
      { path: '/api/projects', body: { name: 'No' } },
      { method: 'PATCH', path: '/api/workspace', body: { workspace_name: 'No' } },
      { method: 'PATCH', path: `/api/projects/${server.project.id}`, body: { name: 'No' } },
      { method: 'DELETE', path: `/api/tokens/${id}` },
      { method: 'POST', path: '/api/auth/password', body: {} },
    ]
    for (const write of writes) expect((await server.call({ ...write, as: reader })).status).toBe(403)
    // Signing out changes nothing for a token.
    expect((await server.call({ method: 'POST', path: '/api/auth/logout', as: reader })).status).toBe(204)
    expect((await me(token)).status).toBe(200)
  })

  it.each(['pat_', 'pat_x', `pat_${'A'.repeat(43)}`, `pat_${'x'.repeat(8_000)}`, 'PAT_x'])(
    'the invalid token %s is 401, also with a valid cookie',
    async (token) => {
      expect((await me(token)).status).toBe(401)
      const headers = { authorization: `Bearer ${token}` }
      expect((await server.call({ path: '/api/auth/me', headers })).status).toBe(401)
    },
  )

  it('a token with one character more, less or changed is 401', async () => {
    const { token } = await newToken()
    const last = token.at(-1) === 'A' ? 'B' : 'A'
    for (const wrong of [`${token}A`, token.slice(0, -1), token.slice(0, -1) + last])
      expect((await me(wrong)).status).toBe(401)
  })
})

describe('the expiry of a token', () => {
  it('an expired token is 401 immediately, and stays in the list', async () => {
    const user = await newUser()
    const { id, token } = await newToken({ expires_in_days: 1 }, as(user))
    clock.advance(DAY_MS - 1)
    expect((await me(token)).status).toBe(200)
    clock.advance(1)
    expect((await me(token)).status).toBe(401)
    expect(await list(as(user))).toMatchObject([{ id, expires_at: clock.now().toISOString() }])
    // The session is too old to revoke anything.
    const cookie = await signIn(server, user.email)
    expect((await revoke(id, { cookie })).status).toBe(204)
  })

  it('streams of an expired token end at the next review', async () => {
    const expiring = await newToken({ expires_in_days: 1 })
    const lasting = await newToken({ expires_in_days: 2 })
    const open = ({ token }: { token: string }) =>
      readStream(`${server.url}/stream`, { authorization: `Bearer ${token}` })
    const [expired, alive] = [await open(expiring), await open(lasting)]
    for (const stream of [expired, alive]) await stream.until(({ event }) => event === 'ready')
    clock.advance(DAY_MS)

    // Every change of rights causes a review, and so does each minute.
    await revoke((await newToken()).id)

    await eventually(() => expired.ended())
    expect(alive.ended()).toBe(false)
    alive.close()
  })
})

describe('last_used_at', () => {
  it('last_used_at is null before the first use and then has the time of the last one', async () => {
    const user = await newUser()
    const { id, token } = await newToken({}, as(user))
    expect(await list(as(user))).toMatchObject([{ id, last_used_at: null }])

    await me(token)

    expect(await list(as(user))).toMatchObject([{ id, last_used_at: clock.now().toISOString() }])
  })

  it('last_used_at includes the request that reads it', async () => {
    const { token } = await newToken({}, as(await newUser()))
    expect(await list({ bearer: token })).toMatchObject([{ last_used_at: clock.now().toISOString() }])
  })

  it('last_used_at is written at most once a minute', async () => {
    const user = await newUser()
    const { token } = await newToken({}, as(user))
    const used = async () => {
      await me(token)
      return (await list(as(user)))[0].last_used_at
    }
    const first = await used()
    clock.advance(MINUTE_MS - 1)
    expect(await used()).toBe(first)
    clock.advance(1)
    expect(await used()).toBe(clock.now().toISOString())
  })

  it('last_used_at is written once for many concurrent uses on two instances', async () => {
    const { pool } = server.database
    const second = await startTestServer({ database: server.database, clock })
    const user = await newUser()
    const { id, token } = await newToken({}, as(user))
    await pool.query(`
      create table token_writes (id integer);
      create function count_token_write() returns trigger language plpgsql security definer as
        $$ begin insert into token_writes values (new.id); return new; end $$;
      create trigger count_token_write after update on access_tokens
        for each row execute function count_token_write()`)
    try {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => me(token, index % 2 === 0 ? server : second)),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      for (const on of [server, second]) await on.call({ path: '/api/tokens', as: as(user) })
      const { rows } = await pool.query('select count(*)::int as writes from token_writes where id = $1', [
        id,
      ])
      expect(rows[0].writes).toBe(1)
    } finally {
      await second.close()
      await pool.query('drop function count_token_write cascade; drop table token_writes')
    }
  })

  it('last_used_at neither delays nor fails the request that uses the token', async () => {
    const { pool } = server.database
    const { id, token } = await newToken()
    const holder = await pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select 1 from access_tokens where id = $1 for update', [id])
      expect((await me(token)).status).toBe(200)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    await pool.query(`
      create function refuse_token_write() returns trigger language plpgsql as
        $$ begin raise exception 'no room left'; end $$;
      create trigger refuse_token_write before update on access_tokens
        for each row execute function refuse_token_write()`)
    // A use is stored once a minute, and the one above may be stored by now.
    clock.advance(120_000)
    try {
      expect((await me(token)).status).toBe(200)
      await eventually(() => server.logged().includes('the last use of access tokens could not be stored'))
      expect(server.logged()).not.toContain(token)
    } finally {
      await pool.query('drop function refuse_token_write cascade')
    }
    expect((await me(token)).status).toBe(200)
    await eventually(() => lastUsed(id))
  })

  it('last_used_at is stored before a stopping server has stopped', async () => {
    const second = await startTestServer({ database: server.database, clock })
    const { id, token } = await newToken()
    expect((await me(token, second)).status).toBe(200)
    await second.close()
    expect(await lastUsed(id)).toBe(clock.now().toISOString())
  })
})

describe('DELETE /api/tokens/{id}', () => {
  it('DELETE /api/tokens/{id} responds with 204, and the token is 401 immediately, unlike others', async () => {
    const [revoked, other] = [await newToken(), await newToken()]
    expect(await revoke(revoked.id)).toMatchObject({ status: 204, body: '' })
    expect((await me(revoked.token)).status).toBe(401)
    expect((await me(other.token)).status).toBe(200)
    expect((await revoke(revoked.id)).status).toBe(404)
  })

  it('a token may revoke itself', async () => {
    const { id, token } = await newToken()
    expect((await revoke(id, { bearer: token })).status).toBe(204)
    expect((await me(token)).status).toBe(401)
  })

  it('DELETE /api/tokens/{id} ends the open streams of the token on every instance, and no others', async () => {
    const second = await startTestServer({ database: server.database, clock })
    try {
      const [revoked, other] = [await newToken(), await newToken()]
      const open = (url: string, { token }: { token: string }) =>
        readStream(`${url}/stream`, { authorization: `Bearer ${token}` })
      const streams = [await open(server.url, revoked), await open(second.url, revoked)]
      const alive = await open(second.url, other)
      for (const stream of [...streams, alive]) await stream.until(({ event }) => event === 'ready')

      await revoke(revoked.id)

      expect((await me(revoked.token, second)).status).toBe(401)
      for (const stream of streams) await eventually(() => stream.ended())
      expect(alive.ended()).toBe(false)
      alive.close()
    } finally {
      await second.close()
    }
  })

  it("DELETE /api/tokens/{id} is 404 for another user's token, also for a workspace admin, and the list has only own ones", async () => {
    const user = await newUser()
    const { id, token } = await newToken({}, as(user))
    expect((await revoke(id)).status).toBe(404)
    expect((await revoke(id, as(await newUser()))).status).toBe(404)
    expect((await list()).map((listed: { id: number }) => listed.id)).not.toContain(id)
    expect((await me(token)).status).toBe(200)
  })

  it.each(['0', '-1', '1.5', 'x', '%00', '1e3', '2147483648', '99999999999999999999', `${NO_SUCH_ID}`])(
    'answers 404 for the id %s',
    async (id) => {
      expect((await revoke(id)).status).toBe(404)
    },
  )

  it('DELETE /api/tokens/{id} with a read_only token is 403 for own tokens and 404 for others', async () => {
    const user = await newUser()
    const { id } = await newToken({}, as(user))
    const reader = { bearer: (await newToken({ scope: 'read_only' }, as(user))).token }
    expect((await revoke(id, reader)).status).toBe(403)
    expect((await revoke((await newToken()).id, reader)).status).toBe(404)
  })
})

describe('owners of personal access tokens', () => {
  it('a viewer without projects can have tokens', async () => {
    const user = await newUser()
    expect((await newToken({}, as(user))).id).toBeGreaterThan(0)
  })

  it('an SDK key has no tokens: 403', async () => {
    const { id } = await newToken()
    const key = { bearer: server.sdkKey }
    expect((await server.call({ path: '/api/tokens', as: key })).status).toBe(403)
    expect((await create({}, key)).status).toBe(403)
    expect((await revoke(id, key)).status).toBe(403)
    expect((await revoke(NO_SUCH_ID, key)).status).toBe(404)
  })

  it('tokens without a credential are 401', async () => {
    expect((await server.call({ path: '/api/tokens', as: 'anonymous' })).status).toBe(401)
    expect((await create({}, 'anonymous')).status).toBe(401)
    expect((await revoke(1, 'anonymous')).status).toBe(401)
  })

  it('an owner who is deleted while a token is being created gets 401', async () => {
    const { pool } = server.database
    const user = await newUser()
    const holder = await pool.connect()
    try {
      await holder.query('begin')
      await holder.query('delete from users where id = $1', [user.id])
      const answer = create({}, as(user))
      await eventually(async () => {
        const { rows } = await pool.query(
          `select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
        )
        return rows.length > 0
      })
      await holder.query('commit')
      expect((await answer).status).toBe(401)
    } finally {
      holder.release()
    }
  })
})

describe('personal access tokens in the audit log', () => {
  it('the audit log has the creation and the revocation of a token, with the actor, and never the token', async () => {
    const user = await newUser()
    const created = await newToken({ name: 'Audited', scope: 'read_only' }, as(user))
    await revoke(created.id, as(user))

    const { rows } = await server.database.pool.query(
      `select * from audit_log where metadata->>'resource' = $1 order by id`,
      [`access_token:${created.id}`],
    )
    const shown = { name: 'Audited', scope: 'read_only', prefix: created.prefix, expires_at: null }
    const common = { flag_key: '', actor_email: user.email, metadata: { origin: 'direct' } }
    expect(rows).toMatchObject([
      { ...common, action: 'create', before_data: null, after_data: shown },
      { ...common, action: 'delete', before_data: shown, after_data: null },
    ])
    expect(JSON.stringify(rows)).not.toContain(created.token)
  })
})
