import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { RESOURCE_AUDIT_TRACE } from '../../harness/audit-trace.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { ADMIN, type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Place {
  readonly id: string
  readonly environments: readonly { readonly id: string }[]
  readonly sdk_key: { readonly key: string }
}
type Role = 'admin' | 'editor' | 'viewer'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const NOBODY = 2_000_000_000

let made = 0
/** Creates a project for the test. */
const newProject = async (): Promise<Place> => {
  made += 1
  return (await server.call({ path: '/api/projects', body: { name: `Team ${made}` } })).body
}

/** Creates a user who is signed in and may belong to the project. */
const newUser = async (place?: Place, role: Role = 'viewer') => {
  made += 1
  return addUser(server, {
    email: `user-${made}@example.com`,
    ...(place && { memberOf: { [place.id]: role } }),
  })
}

const list = (place: { id: string }, as: As = 'admin') =>
  server.call({ path: `/api/projects/${place.id}/members`, as })

const add = (place: { id: string }, body: unknown, as: As = 'admin') =>
  server.call({ method: 'POST', path: `/api/projects/${place.id}/members`, body, as })

const changeRole = (place: { id: string }, user_id: number | string, body: unknown, as: As = 'admin') =>
  server.call({ method: 'PATCH', path: `/api/projects/${place.id}/members/${user_id}`, body, as })

const remove = (place: { id: string }, user_id: number | string, as: As = 'admin') =>
  server.call({ method: 'DELETE', path: `/api/projects/${place.id}/members/${user_id}`, as })

const candidates = (place: { id: string }, query = '', as: As = 'admin') =>
  server.call({ path: `/api/projects/${place.id}/members/candidates${query}`, as })

const auditOf = async (place: Place) => {
  const entries = await server.database.db
    .selectFrom('audit_log')
    .select(['action', 'actor_email', 'environment_id', 'flag_key', 'before_data', 'after_data', 'metadata'])
    .where('project_id', '=', place.id)
    .orderBy('id')
    .execute()
  // The first entry is the creation of the project.
  return entries.slice(1)
}

const writeFlag = (place: Place, as: As, key = 'f') => {
  const path = `/api/environments/${place.environments[0]?.id}/flags`
  return server.call({ path, body: { key, is_enabled: true }, as })
}

describe('GET /api/projects/{project_id}/members', () => {
  it('the list of members has name, e-mail and role in the project', async () => {
    const place = await newProject()
    const viewer = await newUser(place)
    const admin = await newUser(place, 'admin')
    await newUser(await newProject(), 'editor')

    const { body, status } = await list(place)

    expect(status).toBe(200)
    expect(body).toEqual([
      { user_id: viewer.id, name: viewer.email, email: viewer.email, role: 'viewer' },
      { user_id: admin.id, name: admin.email, email: admin.email, role: 'admin' },
    ])
  })

  it('the list of members is empty for a new project, whose creator is not a member', async () => {
    expect((await list(await newProject())).body).toEqual([])
  })

  it('the list of members is for members of any role and for a server key of the project', async () => {
    const place = await newProject()
    expect((await list(place, await newUser(place))).status).toBe(200)
    expect((await list(place, { bearer: place.sdk_key.key })).status).toBe(200)
    expect((await list(place, await newUser())).status).toBe(403)
    expect((await list(place, { bearer: server.sdkKey })).status).toBe(403)
    expect((await list(place, 'anonymous')).status).toBe(401)
    expect((await list({ id: UNKNOWN_ID }, await newUser())).status).toBe(404)
  })
})

describe('POST /api/projects/{project_id}/members', () => {
  it('adding a member has an immediate effect', async () => {
    const place = await newProject()
    const user = await newUser()
    expect((await writeFlag(place, user)).status).toBe(403)

    const { body, status } = await add(place, { user_id: user.id, role: 'editor', name: 'ignored' })

    expect(status).toBe(200)
    expect(body).toEqual({ user_id: user.id, name: user.email, email: user.email, role: 'editor' })
    expect((await list(place)).body).toEqual([body])
    expect((await writeFlag(place, user)).status).toBe(200)
    const seen = await server.call({ path: '/api/projects', as: user })
    expect(seen.body).toMatchObject([{ id: place.id, member_count: 1 }])
  })

  it('adding a member adds the flags of the project to their open streams, on every instance', async () => {
    const place = await newProject()
    const user = await newUser()
    await writeFlag(place, 'admin', 'was-there')
    const second = await startTestServer({ database: server.database })
    const headers = { cookie: user.cookie }
    const streams = await Promise.all([server, second].map(({ url }) => readStream(`${url}/stream`, headers)))
    for (const stream of streams) await stream.until(({ event }) => event === 'ready')
    await add(place, { user_id: user.id, role: 'viewer' })
    for (const stream of streams) {
      await stream.until(({ data }) => data?.flag?.key === 'was-there')
      stream.close()
    }
    await second.close()
  })

  it('adding a member twice is 409, and the role does not change', async () => {
    const place = await newProject()
    const user = await newUser(place)
    const { body, status } = await add(place, { user_id: user.id, role: 'admin' })
    expect([status, body]).toEqual([409, { error: expect.stringContaining('member') }])
    expect((await list(place)).body).toMatchObject([{ role: 'viewer' }])
  })

  it('of several concurrent additions of a user one succeeds', async () => {
    const place = await newProject()
    const { id: user_id } = await newUser()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => add(place, { user_id, role: 'viewer' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await auditOf(place)).toHaveLength(1)
  })

  it('adding an unknown user is 422 naming user_id', async () => {
    const { body, status } = await add(await newProject(), { user_id: NOBODY, role: 'viewer' })
    expect(status).toBe(422)
    expect(body.details).toEqual([{ path: '/user_id', message: expect.any(String) }])
  })

  it.each([
    [{}],
    [{ user_id: 1 }],
    [{ role: 'viewer' }],
    [{ user_id: 1, role: 'owner' }],
    [{ user_id: 1, role: null }],
    [{ user_id: null, role: 'viewer' }],
    [{ user_id: '1', role: 'viewer' }],
    [{ user_id: 1.5, role: 'viewer' }],
    [{ user_id: 0, role: 'viewer' }],
    [{ user_id: -1, role: 'viewer' }],
    [{ user_id: 2 ** 31, role: 'viewer' }],
    [{ user_id: 1e300, role: 'viewer' }],
    [[]],
    [undefined],
  ])('adding a member is 422 for %j', async (body) => {
    expect((await add(server.project, body)).status).toBe(422)
  })

  it('adding members is for admins of the project', async () => {
    const place = await newProject()
    const { id: user_id } = await newUser()
    const body = { user_id, role: 'viewer' }
    expect((await add(place, body, await newUser(place, 'viewer'))).status).toBe(403)
    expect((await add(place, body, await newUser(place, 'editor'))).status).toBe(403)
    expect((await add(place, body, { bearer: place.sdk_key.key })).status).toBe(403)
    expect((await add(place, body, await newUser(await newProject(), 'admin'))).status).toBe(403)
    expect((await add(place, body, 'anonymous')).status).toBe(401)
    expect((await add({ id: UNKNOWN_ID }, body)).status).toBe(404)
    expect((await add(place, body, await newUser(place, 'admin'))).status).toBe(200)
  })

  it('adding a member is 404 or 422, and never fails, when project or user are deleted meanwhile', async () => {
    const place = await newProject()
    const users = await Promise.all([newUser(), newUser(), newUser(), newUser()])
    const adding = () => users.map(({ id }) => add(place, { user_id: id, role: 'viewer' }))
    const removeUser = server.database.db.deleteFrom('users').where('id', '=', users[0]?.id ?? 0)
    const removal = server.call({ method: 'DELETE', path: `/api/projects/${place.id}` })
    const answers = await Promise.all([...adding(), removeUser.execute(), removal, ...adding()].slice())
    const statuses = answers.flatMap((answer) => ('status' in answer ? [answer.status] : []))
    expect(statuses).toContain(204)
    expect(statuses.filter((status) => ![200, 204, 404, 409, 422].includes(status))).toEqual([])
  })
})

describe('PATCH /api/projects/{project_id}/members/{user_id}', () => {
  it('PATCH changes the role of a member from the next request on', async () => {
    const place = await newProject()
    const user = await newUser(place, 'viewer')
    expect((await writeFlag(place, user)).status).toBe(403)

    const { body, status } = await changeRole(place, user.id, { role: 'editor', user_id: 1 })

    expect(status).toBe(200)
    expect(body).toEqual({ user_id: user.id, name: user.email, email: user.email, role: 'editor' })
    expect((await writeFlag(place, user)).status).toBe(200)
    await changeRole(place, user.id, { role: 'viewer' })
    expect((await writeFlag(place, user)).status).toBe(403)
  })

  it('PATCH changes the role in this project only', async () => {
    const [place, elsewhere] = [await newProject(), await newProject()]
    const user = await newUser(place, 'viewer')
    await add(elsewhere, { user_id: user.id, role: 'viewer' })
    await changeRole(place, user.id, { role: 'admin' })
    expect((await list(elsewhere)).body).toMatchObject([{ role: 'viewer' }])
    expect((await writeFlag(elsewhere, user)).status).toBe(403)
  })

  it('PATCH is 404 for a user who is not a member, before role and body are checked', async () => {
    const place = await newProject()
    const stranger = await newUser()
    const viewer = await newUser(place)
    expect((await changeRole(place, stranger.id, { role: 'editor' })).status).toBe(404)
    expect((await changeRole(place, NOBODY, { role: 'editor' })).status).toBe(404)
    expect((await changeRole(place, stranger.id, { role: 'editor' }, viewer)).status).toBe(404)
    expect((await changeRole(place, stranger.id, { role: 'owner' })).status).toBe(404)
    for (const id of ['x', '0', '-1', '1e1', '99999999999', '1.0']) {
      expect((await changeRole(place, id, { role: 'editor' })).status).toBe(404)
    }
  })

  it.each([[{}], [{ role: 'owner' }], [{ role: null }], [{ role: 'Admin' }], [[]], [undefined]])(
    'PATCH of a member is 422 for %j',
    async (body) => {
      const place = await newProject()
      const user = await newUser(place)
      expect((await changeRole(place, user.id, body)).status).toBe(422)
    },
  )

  it('PATCH of a member is for admins of the project, who may demote themselves', async () => {
    const place = await newProject()
    const [member, editor, admin] = [
      await newUser(place),
      await newUser(place, 'editor'),
      await newUser(place, 'admin'),
    ]
    const by = (as: As, user_id = member.id) => changeRole(place, user_id, { role: 'viewer' }, as)
    expect((await by(member)).status).toBe(403)
    expect((await by(editor)).status).toBe(403)
    expect((await by({ bearer: place.sdk_key.key })).status).toBe(403)
    expect((await by(admin)).status).toBe(200)
    expect((await by(admin, admin.id)).status).toBe(200)
    expect((await by(admin)).status).toBe(403)
  })
})

describe('DELETE /api/projects/{project_id}/members/{user_id}', () => {
  it('DELETE ends access to the project immediately and keeps the account', async () => {
    const [place, elsewhere] = [await newProject(), await newProject()]
    const user = await newUser(place, 'admin')
    await add(elsewhere, { user_id: user.id, role: 'viewer' })

    const { body, status } = await remove(place, user.id)

    expect([status, body]).toEqual([204, ''])
    expect((await list(place)).body).toEqual([])
    expect((await list(place, user)).status).toBe(403)
    expect((await list(elsewhere, user)).status).toBe(200)
    expect((await server.call({ path: '/api/auth/me', as: user })).body.email).toBe(user.email)
    expect((await remove(place, user.id)).status).toBe(404)
  })

  it("DELETE removes the environments of the project from the member's open streams, on every instance", async () => {
    const [place, elsewhere] = [await newProject(), await newProject()]
    const user = await newUser(place)
    await add(elsewhere, { user_id: user.id, role: 'viewer' })
    const second = await startTestServer({ database: server.database })
    const open = async (query = '') => {
      const streams = await Promise.all(
        [server, second].map(({ url }) => readStream(`${url}/stream${query}`, { cookie: user.cookie })),
      )
      for (const stream of streams) await stream.until(({ event }) => event === 'ready')
      return streams
    }
    const wide = await open()
    const narrowed = await open(`?environment_id=${place.environments[0]?.id}`)

    await remove(place, user.id)

    // A narrowed stream ends with its right: then the review has been everywhere.
    for (const stream of narrowed) await eventually(stream.ended)
    await writeFlag(place, 'admin', 'unheard')
    await writeFlag(elsewhere, 'admin', 'heard')
    for (const stream of wide) {
      await stream.until(({ data }) => data?.flag?.key === 'heard')
      expect(stream.text()).not.toContain('unheard')
      stream.close()
    }
    await second.close()
  })

  it('DELETE of a member is for admins of the project; a user who is not a member is 404', async () => {
    const place = await newProject()
    const member = await newUser(place)
    const [editor, admin] = [await newUser(place, 'editor'), await newUser(place, 'admin')]
    const stranger = await newUser()
    expect((await remove(place, member.id, editor)).status).toBe(403)
    expect((await remove(place, stranger.id, editor)).status).toBe(404)
    expect((await remove(place, member.id, { bearer: place.sdk_key.key })).status).toBe(403)
    expect((await remove(place, member.id, 'anonymous')).status).toBe(401)
    expect((await remove(place, stranger.id)).status).toBe(404)
    expect((await remove({ id: UNKNOWN_ID }, member.id)).status).toBe(404)
    expect((await remove(place, member.id, admin)).status).toBe(204)
  })

  it('of several concurrent removals of a member one succeeds', async () => {
    const place = await newProject()
    const { id } = await newUser(place)
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove(place, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404])
  })
})

describe('members in the audit log', () => {
  it('every change of the members is one entry in the audit log', async () => {
    const place = await newProject()
    const user = await newUser()
    await add(place, { user_id: user.id, role: 'viewer' })
    await changeRole(place, user.id, { role: 'admin' })
    await remove(place, user.id)
    const member = (role: string) => ({ user_id: user.id, name: user.email, email: user.email, role })
    const common = {
      actor_email: ADMIN.email,
      environment_id: null,
      flag_key: '',
      metadata: { origin: 'direct', resource: `member:${user.id}`, ...RESOURCE_AUDIT_TRACE },
    }
    expect(await auditOf(place)).toEqual([
      { ...common, action: 'create', before_data: null, after_data: member('viewer') },
      { ...common, action: 'update', before_data: member('viewer'), after_data: member('admin') },
      { ...common, action: 'delete', before_data: member('admin'), after_data: null },
    ])
  })
})

describe('GET /api/projects/{project_id}/members/candidates', () => {
  /** Inserts users directly: none signs in. */
  const insert = (people: readonly { name: string; email: string }[]) =>
    server.database.db
      .insertInto('users')
      .values(
        people.map((person) => ({
          ...person,
          role: 'viewer' as const,
          password_hash: 'of-nobody-who-signs-in',
        })),
      )
      .returning(['id as user_id', 'name', 'email'])
      .execute()

  const names = async (place: Place, q: string) => {
    const { body } = await candidates(place, `?q=${encodeURIComponent(q)}`)
    return body.map(({ name }: { name: string }) => name)
  }

  it('candidates are found by a part of their name or e-mail in any case, without the members', async () => {
    const place = await newProject()
    const people = await insert([
      { name: 'Zoë Quill', email: 'z@quills.example' },
      { name: 'Anna', email: 'anna@QUILLS.example' },
      { name: 'Member Quill', email: 'm@quills.example' },
      { name: 'Bob', email: 'bob@other.example' },
    ])
    const [zoe, anna, member] = people
    await add(place, { user_id: member?.user_id, role: 'viewer' })

    const { body, status } = await candidates(place, '?q=qUiLl')

    expect(status).toBe(200)
    expect(body).toEqual([anna, zoe])
    expect(await names(place, 'ZOË')).toEqual(['Zoë Quill'])
    expect(await names(place, 'no such person')).toEqual([])
  })

  it('the search for candidates takes %, _ and \\ literally', async () => {
    const place = await newProject()
    const name = 'Odd 100%_\\ name'
    await insert([{ name, email: 'odd@odd.example' }])
    for (const q of ['100%', '%_', '_\\', '\\ n']) expect(await names(place, q)).toEqual([name])
    expect(await names(place, 'odd_100')).toEqual([])
  })

  it('candidates are 20 at most, by name and then by id, also without q', async () => {
    const place = await newProject()
    await insert(
      Array.from({ length: 25 }, (_, index) => ({
        name: index < 3 ? 'Aa crowd' : `Crowd ${String(index).padStart(2, '0')}`,
        email: `crowd-${index}@crowd.example`,
      })),
    )
    const { body } = await candidates(place, '?q=crowd')
    expect(body).toHaveLength(20)
    expect(body.map(({ email }: { email: string }) => email)).toEqual(
      Array.from({ length: 20 }, (_, index) => `crowd-${index}@crowd.example`),
    )
    expect((await candidates(place)).body).toHaveLength(20)
    expect((await candidates(place, '?q=')).body).toHaveLength(20)
  })

  it('candidates are 422 for NUL and for a repeated q', async () => {
    const place = await newProject()
    expect((await candidates(place, '?q=%00')).status).toBe(422)
    expect((await candidates(place, '?q=a&q=b')).status).toBe(422)
    expect((await candidates(place, `?q=${'x'.repeat(5_000)}`)).body).toEqual([])
  })

  it('candidates are for admins of the project', async () => {
    const place = await newProject()
    expect((await candidates(place, '', await newUser(place, 'editor'))).status).toBe(403)
    expect((await candidates(place, '', { bearer: place.sdk_key.key })).status).toBe(403)
    expect((await candidates(place, '', 'anonymous')).status).toBe(401)
    expect((await candidates({ id: UNKNOWN_ID })).status).toBe(404)
    expect((await candidates(place, '', await newUser(place, 'admin'))).status).toBe(200)
  })
})
