import { endpoints, PLAIN_TEXT_REFUSAL } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let count = 0
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const project = () => `/api/projects/${server.project.id}`
const environment = () => `/api/environments/${server.environments.production}`
const HOOK = 'https://hooks.example.com/services/T0/B0/X'
const password = 'long enough for all'

type Write = (name: string) => Parameters<TestServer['call']>[0]
const patch = (path: string, body: object) => ({ method: 'PATCH', path, body })

const NAMED: Readonly<Record<string, Write>> = {
  'a project': (name) => ({ path: '/api/projects', body: { name, slug: `p-${count}` } }),
  'a renamed project': (name) => patch(project(), { name }),
  'the workspace': (workspace_name) => patch('/api/workspace', { workspace_name }),
  'an environment': (name) => ({ path: `${project()}/environments`, body: { name, slug: `e-${count}` } }),
  'a renamed environment': (name) =>
    patch(`${project()}/environments/${server.environments.staging}`, { name }),
  'a user': (name) => ({
    path: '/api/users',
    body: { name, email: `u${count}@example.com`, password, role: 'viewer' },
  }),
  'an invited user': (name) => ({
    path: '/api/users/invitations',
    body: { name, email: `i${count}@example.com`, role: 'viewer' },
  }),
  oneself: (name) => patch('/api/auth/me', { name }),
  'a service account': (name) => ({ path: '/api/service-accounts', body: { name: `${name}${count}` } }),
  'a token': (name) => ({ path: '/api/tokens', body: { name, scope: 'read_only' } }),
  'an SDK key': (name) => ({
    path: `${project()}/keys`,
    body: { name, environment_id: server.environments.production },
  }),
  'a role': (name) => ({ path: '/api/roles', body: { key: `r-${count}`, name, permissions: [] } }),
  'a webhook': (name) => ({ path: `${environment()}/webhooks`, body: { name, url: HOOK, secret: password } }),
  'an integration': (name) => ({
    path: `${environment()}/integrations`,
    body: { name, kind: 'slack', webhook_url: HOOK },
  }),
  'a segment': (name) => ({ path: `${environment()}/segments`, body: { name, key: `s-${count}` } }),
  'an applied segment': (name) => ({
    path: `${environment()}/apply`,
    body: { segments: [{ name, key: `a-${count}` }] },
  }),
}

const HOSTILE = {
  'the order of text': 'deploy\u202etoor',
  'an isolate': 'deploy\u2066root',
  'a mark of direction': 'root\u200f',
  'an end of line': 'deploy\nroot: granted',
  'a separator of lines': 'deploy\u2028root',
  'a blank without width': 'ro\u200bot',
  'a joiner where nothing joins': 'ro\u200dot',
  'a soft hyphen': 'ro\u00adot',
  'a tag': 'root\u{e0041}',
  'a filler': '\u3164',
  'a look-alike of @': 'root＠example.com',
  'a small @': 'root﹫example.com',
  'a look-alike of an address': 'https：／／example.com',
}
const GOOD = [
  'می‌خواهم', // Persian with a joiner
  'ශ්‍රී', // Sinhala with one
  'Team 👩🏽‍💻 ❤️ 1️⃣ 🏳️‍🌈',
  '営業：東京 A／B',
  '辻󠄀', // a variant of an ideograph
  'José, see https://example.com',
]

async function send(write: Write, name: string) {
  count += 1
  return server.call(write(name))
}

describe('names', () => {
  it.each(Object.entries(NAMED))(
    'the name of %s shows all of its characters in their order',
    async (_, write) => {
      for (const [what, text] of Object.entries(HOSTILE)) {
        const { body, status } = await send(write, text)
        expect(status, what).toBe(422)
        const details: { path: string; message: string }[] = body.details
        expect(details.map(({ message }) => message).join(), what).toContain(PLAIN_TEXT_REFUSAL)
      }
      for (const text of GOOD) {
        const { body, status } = await send(write, text)
        expect(status, `${text}: ${JSON.stringify(body)}`).toBeLessThan(300)
      }
    },
  )

  it('every name and address in a body has the rule, or a reason for none', () => {
    const free = bodyFields().filter(({ schema }) => !/^plain-/.test(String(schema.format)))
    expect([...new Set(free.map(({ endpoint, field }) => `${endpoint} ${field}`))].sort()).toEqual(
      Object.keys(WITHOUT_RULE).sort(),
    )
  })
})

/** Fields of bodies that are called a name or an address and may have any text, with the reason. */
const SEGMENT = 'the handler has the rule, and takes a stored name'
const LINK = 'the address of a page about a flag, which is shown beside it'
const WITHOUT_RULE: Readonly<Record<string, string>> = {
  'applyEnvironment name': SEGMENT,
  'createSegment name': SEGMENT,
  'patchSegment name': SEGMENT,
  'previewSegment name': SEGMENT,
  'checkInvariants name': 'nothing is stored',
  'findImpact name': 'nothing is stored',
  'importFiles name': 'the name of a file that is read',
  'createManifestFlag name': 'the title of a flag, which is its description',
  'updateManifestFlag name': 'the title of a flag, which is its description',
  'applyEnvironment url': LINK,
  'checkInvariants url': LINK,
  'createScheduledChange url': LINK,
  'findImpact url': LINK,
  'patchFlag url': LINK,
  'previewFlag url': LINK,
  'putFlag url': LINK,
  'confirmOwnEmail email': 'an address that the account does not have is 409',
  'login email': 'whatever was typed is a failed login',
  'requestPasswordReset email': 'whatever was typed has the same response',
}

describe('addresses', () => {
  it('an e-mail address has no look-alike of its signs', async () => {
    for (const email of [
      'a＠example.com',
      'a@example．com',
      'a@example。com',
      'a\u200b@example.com',
      'a@ex\u202eample.com',
    ]) {
      const { body, status } = await server.call({
        path: '/api/users',
        body: { name: 'Ann', email, password, role: 'viewer' },
      })
      expect([status, body.details?.[0]?.path], email).toEqual([422, '/email'])
    }
  })

  it.each(['webhooks', 'integrations'])('an address of %s has no look-alike of its signs', async (list) => {
    for (const url of [
      'https：//hooks.example.com/x',
      'https:／／hooks.example.com/x',
      'https://hooks.example.com／x',
      'https://hooks。example.com/x',
      'https://ho\u200boks.example.com/x',
      'https://hooks.example.com/\nx',
    ]) {
      const body =
        list === 'webhooks'
          ? { name: 'Hook', url, secret: password }
          : { name: 'Chat', kind: 'slack', webhook_url: url }
      const answer = await server.call({ path: `${environment()}/${list}`, body })
      expect(answer.status, url).toBe(422)
      expect(JSON.stringify(answer.body.details)).toContain('look-alikes')
    }
  })
})

describe('names that are stored already', () => {
  it('a stored name of another environment is refused as any other, and so not found out', async () => {
    const old = 'el\u202esewhere'
    const { production, staging } = server.environments
    const input = { name: 'Old', key: 'both', flag_key: 'both', goal_event_key: 'goal' }
    for (const id of [production, staging]) {
      const at = `/api/environments/${id}`
      expect(
        (await server.call({ path: `${at}/flags`, body: { key: 'both', is_enabled: true } })).status,
      ).toBe(200)
      expect((await server.call({ path: `${at}/experiments`, body: input })).status).toBe(200)
    }
    const { pool } = server.database
    await pool.query('update experiments set name = $1 where environment_id = $2', [old, production])
    const rename = (id: string) =>
      server.call(patch(`/api/environments/${id}/experiments/both`, { name: old }))
    expect(await rename(staging)).toMatchObject({
      status: 422,
      body: { details: [{ path: '/name', message: PLAIN_TEXT_REFUSAL }] },
    })
    expect((await rename(production)).status).toBe(200)
  })

  it('a stored name goes on: it is shown, its thing is changed, and a good name takes its place', async () => {
    const old = 'ol\u202ed\n'
    const path = `${environment()}/webhooks`
    const made = await server.call({ path, body: { name: 'Old', url: HOOK, secret: password } })
    const segments = `${environment()}/segments`
    expect((await server.call({ path: segments, body: { name: 'Old', key: 'old' } })).status).toBe(200)
    const { pool } = server.database
    await pool.query('update webhooks set name = $1 where id = $2', [old, made.body.id])
    await pool.query('update segments set name = $1 where key = $2', [old, 'old'])
    const names = (await server.call({ path })).body.map(({ name }: { name: string }) => name)
    expect(names).toContain(old)
    const hook = `${path}/${made.body.id}`
    expect((await server.call(patch(hook, { enabled: false }))).body).toMatchObject({
      name: old,
      enabled: false,
    })
    // A form sends all of its fields.
    const repeated = await server.call(patch(hook, { name: old, url: HOOK, enabled: true }))
    expect(repeated).toMatchObject({ status: 200, body: { name: old, enabled: true } })
    expect(await server.call(patch(hook, { name: `${old}er` }))).toMatchObject({
      status: 422,
      body: { details: [{ path: '/name', message: PLAIN_TEXT_REFUSAL }] },
    })
    expect((await server.call(patch(hook, { name: 'New' }))).body).toMatchObject({ name: 'New' })
    // A file of an export repeats the name.
    const segment = { key: 'old', name: old, description: 'Kept' }
    const applied = await server.call({ path: `${environment()}/apply`, body: { segments: [segment] } })
    expect(applied.status).toBe(200)
    expect((await server.call({ path: `${segments}/old` })).body).toMatchObject({
      name: old,
      description: 'Kept',
    })
    expect((await server.call(patch(`${segments}/old`, { name: `${old}er` }))).status).toBe(422)
    expect((await server.call(patch(`${segments}/old`, { name: 'New' }))).body).toMatchObject({ name: 'New' })
  })
})

describe('a stored name that a patch repeats', () => {
  const old = 'ol\u202ed'
  const production = () => server.environments.production
  const password = 'long enough for all'
  const create = async (path: string, body: object) => (await server.call({ path, body })).body

  it('passes wherever a thing is renamed', async () => {
    const account = await create('/api/service-accounts', { name: 'bot one' })
    const user = await create('/api/users', { name: 'U', email: 'u@example.com', password, role: 'viewer' })
    const role = await create('/api/roles', { key: 'old-role', name: 'R', permissions: [] })
    const goal = { key: 'old-goal', name: 'E', flag_key: 'for-goal', goal_event_key: 'bought' }
    await create(`${environment()}/flags`, { key: 'for-goal', is_enabled: true })
    await create(`${environment()}/experiments`, goal)
    const chat = await create(`${environment()}/integrations`, {
      ...{ name: 'I', kind: 'slack', webhook_url: HOOK },
    })
    const { pool } = server.database
    const own = (await server.call({ path: '/api/auth/me' })).body.email
    const places: readonly (readonly [string, string, string, string | number])[] = [
      [`/api/service-accounts/${account.id}`, 'users', 'id', account.id],
      [`/api/users/${user.id}`, 'users', 'id', user.id],
      ['/api/auth/me', 'users', 'email', own],
      [`/api/roles/${role.key}`, 'roles', 'key', role.key],
      [`${environment()}/experiments/old-goal`, 'experiments', 'key', 'old-goal'],
      [`${environment()}/integrations/${chat.id}`, 'integrations', 'id', chat.id],
      [project(), 'projects', 'id', server.project.id],
      [`${project()}/environments/${production()}`, 'environments', 'id', production()],
    ]
    for (const [path, table, column, id] of places) {
      await pool.query(`update ${table} set name = $1 where ${column}::text = $2`, [old, String(id)])
      expect([path, (await server.call(patch(path, { name: old }))).status]).toEqual([path, 200])
      expect([path, (await server.call(patch(path, { name: `${old}!` }))).status]).toEqual([path, 422])
      expect([path, (await server.call(patch(path, { name: 'plain again' }))).status]).toEqual([path, 200])
    }
    await pool.query('update workspace set workspace_name = $1', [old])
    const rename = (workspace_name: string) => server.call(patch('/api/workspace', { workspace_name }))
    expect([(await rename(old)).status, (await rename(`${old}!`)).status]).toEqual([200, 422])
  })
})

interface Field {
  readonly endpoint: string
  readonly field: string
  readonly schema: { readonly format?: string; readonly type?: string; readonly readOnly?: boolean }
}

function bodyFields(): Field[] {
  return Object.entries(endpoints).flatMap(([endpoint, { ...definition }]) =>
    findFields(endpoint, 'body' in definition ? definition.body : undefined),
  )
}

/** Returns the texts of a body that are called a name, an e-mail address or a URL, at any depth. */
function findFields(endpoint: string, schema: unknown): Field[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([field, below]): Field[] => {
    const isText = typeof below === 'object' && below !== null && below.type === 'string'
    return isText && /(^|_)(name|email|url)$/.test(field)
      ? [{ endpoint, field, schema: below }]
      : findFields(endpoint, below)
  })
}
