import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Entry {
  readonly id: number
  readonly project_id: string | null
  readonly action: string
  readonly metadata: { readonly resource?: string }
}

const audit = async (query = '', headers: Record<string, string> = {}) =>
  server.call({ path: `/api/audit${query}`, headers })

/** A promise that the test resolves. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

const createProject = async (name: string) =>
  (await server.call({ path: '/api/projects', body: { name } })).body

describe('GET /api/audit', () => {
  it('the log has the entries of users and of deleted projects, with their project', async () => {
    const project = await createProject('Short lived')
    await server.call({ method: 'DELETE', path: `/api/projects/${project.id}` })
    const user = { name: 'New', email: 'new@example.com', role: 'viewer', password: 'a long password' }
    const { body: created } = await server.call({ path: '/api/users', body: user })

    const { body } = await audit()
    expect(body[0]).toMatchObject({ project_id: null, metadata: { resource: `user:${created.id}` } })
    const deleted = (await audit(`?project_id=${project.id.toUpperCase()}`)).body
    expect(deleted.map(({ action }: Entry) => action)).toEqual(['delete', 'create'])
    expect(deleted[0].project_id).toBe(project.id)
    const ofUser = (await audit(`?resource=user:${created.id}`)).body
    expect(ofUser.map(({ id }: Entry) => id)).toEqual([body[0].id])
  })

  it('entries about people, roles, tokens, keys and settings name address, program and credential', async () => {
    const headers = { 'user-agent': 'a program/1.0' }
    const { id: project_id } = server.project
    const user = { name: 'Traced', email: 'traced@example.com', role: 'viewer', password: 'a long password' }
    const { id } = (await server.call({ path: '/api/users', body: user, headers })).body
    const at = `/api/projects/${project_id}`
    const environment_id = server.environments.staging
    const calls = [
      { path: `${at}/members`, body: { user_id: id, role: 'viewer' } },
      { path: '/api/roles', body: { key: 'traced', name: 'Traced', permissions: ['read_project'] } },
      { path: '/api/tokens', body: { name: 'traced', scope: 'read_only' } },
      { path: `${at}/keys`, body: { name: 'traced', environment_id, kind: 'reader' } },
      { method: 'PATCH', path: '/api/workspace', body: { workspace_name: 'Traced' } },
      { path: `${at}/environments/${environment_id}/require-approval`, body: { require_approval: false } },
    ]
    for (const call of calls) expect((await server.call({ ...call, headers })).status).toBeLessThan(300)
    const entries = (await audit(`?limit=${calls.length + 1}`)).body
    for (const { metadata } of entries) {
      const credential = { kind: 'session', id: expect.any(String) }
      expect(metadata).toMatchObject({ address: '127.0.0.1', user_agent: 'a program/1.0', credential })
    }
    const { link } = (await server.call({ method: 'POST', path: `/api/users/${id}/link` })).body
    const token = link.split('#token=')[1]
    const body = { token, password: 'another long password' }
    await server.call({ path: '/api/auth/links/redeem', body, as: 'anonymous', headers })
    const [redeemed] = (await audit(`?resource=user:${id}&limit=1`)).body
    expect(redeemed.metadata).toMatchObject({
      ...{ link: 'password_reset', address: '127.0.0.1', user_agent: 'a program/1.0' },
      credential: { kind: 'one_time_link', id: expect.any(String) },
    })
    const flags = `/api/environments/${environment_id}/flags`
    await server.call({ path: flags, body: { key: 'traced', is_enabled: true }, headers })
    expect((await audit('?limit=1')).body[0].metadata).not.toHaveProperty('user_agent')
  })

  it('the groups and credentials select entries', async () => {
    const project = await createProject('Grouped')
    const at = `/api/projects/${project.id}`
    const [env] = (await server.call({ path: `${at}/environments` })).body
    const key = { name: 'robot', environment_id: env.id, kind: 'server' }
    const created = (await server.call({ path: `${at}/keys`, body: key })).body
    const flags = `/api/environments/${env.id}/flags`
    const as = { bearer: created.key }
    await server.call({ path: flags, body: { key: 'grouped', is_enabled: true }, as })
    await server.call({
      path: `${at}/environments/${env.id}/require-approval`,
      body: { require_approval: true },
    })
    await server.call({ method: 'PATCH', path: `${flags}/grouped`, body: { is_enabled: false }, as })
    const of = async (filter: string): Promise<string[]> =>
      (await audit(`?project_id=${project.id}&${filter}`)).body.map(
        ({ action, flag_key, metadata }: Entry & { flag_key: string }) =>
          `${action} ${flag_key || metadata.resource?.split(':')[0]}`,
      )
    expect(await of('group=flags')).toEqual(['create grouped'])
    expect(await of('group=change_requests')).toEqual(['change_request.open grouped'])
    expect(await of('group=keys')).toEqual(['create sdk_key'])
    expect(await of('group=projects')).toEqual(['update environment', 'create project'])
    expect(await of('group=people')).toEqual([])
    expect(await of('credential=sdk_key')).toEqual(['change_request.open grouped', 'create grouped'])
    expect(await of(`credential=sdk_key:${created.id}`)).toHaveLength(2)
    expect(await of('credential=sdk_key:0')).toEqual([])
    expect(await of(`credential=${encodeURIComponent("x' or true --")}`)).toEqual([])
    const all = (await audit('?group=authentication')).body.map(({ action }: Entry) => action)
    expect(all.length).toBeGreaterThan(0)
    expect(all.filter((action: string) => !action.startsWith('auth.'))).toEqual([])
    const people = (await audit('?group=people')).body.map(({ action }: Entry) => action)
    expect(people.filter((action: string) => action.startsWith('auth.'))).toEqual([])
    for (const filter of ['group=secrets', `credential=${'x'.repeat(101)}`, 'credential=%00'])
      expect((await audit(`?${filter}`)).status).toBe(422)
  })

  it('the pages follow the cursor, newest first', async () => {
    const all: Entry[] = (await audit('?limit=200')).body
    const first = await audit('?limit=2')
    expect(first.body).toEqual(all.slice(0, 2))
    const next = await audit(`?limit=2&cursor=${first.headers.get('x-next-cursor')}`)
    expect(next.body).toEqual(all.slice(2, 4))
  })

  it('since_id gives the later entries oldest first, once no earlier one can follow', async () => {
    const [last]: Entry[] = (await audit('?limit=1')).body
    const names = ['One', 'Two', 'Three']
    const ids: string[] = []
    for (const name of names) ids.push((await createProject(name)).id)
    const later = await eventually(async () => {
      const { body } = await audit(`?since_id=${last?.id}&action=create`)
      return body.length >= names.length ? body : undefined
    })
    expect(later.map(({ project_id }: Entry) => project_id)).toEqual(ids)
    const page = await audit(`?since_id=${last?.id}&action=create&limit=2`)
    expect(page.body).toEqual(later.slice(0, 2))
    const rest = await audit(
      `?since_id=${last?.id}&action=create&limit=2&cursor=${page.headers.get('x-next-cursor')}`,
    )
    expect(rest.body).toEqual(later.slice(2))
  })

  it('an entry of an unfinished transaction holds back the entries after it', async () => {
    const { db } = server.database
    const [last]: Entry[] = (await audit('?limit=1')).body
    const inserted = gate()
    const finished = gate()
    const slow = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        insert into audit_log (flag_key, actor_email, action, metadata, created_at)
        values ('', 'slow', 'update', '{}', now() - interval '1 minute') returning id`.execute(tx)
      inserted.open()
      await finished.opened
      return rows[0]?.id
    })
    await inserted.opened
    const { id: project_id } = await createProject('After the slow one')
    const settled = async (): Promise<Entry[]> => (await audit(`?since_id=${last?.id}`)).body
    await eventually(async () => {
      const { rows } = await sql`select from audit_log
        where project_id = ${project_id}::uuid and created_at < now() - interval '1 second'`.execute(db)
      return rows.length > 0
    })
    expect(await settled()).toEqual([])
    finished.open()
    const slowId = await slow
    const [first, second] = await eventually(async () => {
      const entries = await settled()
      return entries.length >= 2 ? entries : undefined
    })
    expect(first?.id).toBe(slowId)
    expect(second?.project_id).toBe(project_id)
  })

  it('the export has one line for each entry, and a last one with the heads of the chains', async () => {
    const response = await fetch(`${server.url}/api/audit?action=create`, {
      headers: { accept: 'application/x-ndjson', cookie: server.cookie },
    })
    const lines = (await response.text()).trim().split('\n')
    expect(JSON.parse(lines.pop() ?? '').heads).not.toEqual([])
    const listed: Entry[] = (await audit('?action=create&limit=200')).body
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(listed.map(({ id }) => id))
    expect(JSON.parse(lines[0] ?? '')).toHaveProperty('project_id')
  })

  it('an id beyond all entries gives none', async () => {
    const { body, status } = await audit('?since_id=99999999999999999999')
    expect([status, body]).toEqual([200, []])
  })

  it.each(['?project_id=x', '?since_id=-1', '?since_id=a', '?from=now'])('%s is 422', async (query) => {
    expect((await audit(query)).status).toBe(422)
  })

  it('only workspace admins read it', async () => {
    const user = await addUser(server, {
      email: 'editor@example.com',
      memberOf: { [server.project.id]: 'admin' },
    })
    expect((await server.call({ path: '/api/audit', as: { cookie: user.cookie } })).status).toBe(403)
  })
})
