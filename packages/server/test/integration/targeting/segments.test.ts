import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnvironmentCalls } from '../../governance/environment-calls.ts'
import { addUser } from '../../harness/add-user.ts'
import { readStream, type TestStream } from '../../harness/read-stream.ts'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let stream: TestStream
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
  stream = await readStream(`${server.url}/stream`, { authorization: `Bearer ${server.sdkKey}` })
  await stream.until(({ event }) => event === 'ready')
})
afterAll(async () => {
  stream.close()
  await server.close()
})

const FAR_AHEAD = '9999-12-31T23:59:59Z'

const rule = (value: string, more: object = {}) => ({
  attribute: 'email',
  operator: 'ends_with',
  values: [value],
  ...more,
})
const create = (key: string, rules: object[] = [], more: object = {}): Promise<Answer> =>
  server.call({ path: `${environment}/segments`, body: { name: key, key, rules, ...more } })
const change = (key: string, body: object): Promise<Answer> =>
  server.call({ method: 'PATCH', path: `${environment}/segments/${key}`, body })
const putFlag = (key: string, rules: object[], more: object = {}): Promise<Answer> =>
  server.call({ path: `${environment}/flags`, body: { key, is_enabled: true, rules, ...more } })
const sent = (key: string, fits: (rules: unknown[]) => boolean) =>
  stream.until(({ data, event }) => event === 'update' && data.flag?.key === key && fits(data.flag.rules))

describe('segments', () => {
  it('segments are created with defaults, read, listed and deleted', async () => {
    const { body, status } = await server.call({
      path: `${environment}/segments`,
      body: { name: 'Beta users', key: 'beta-1' },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      environment_id: server.environments.production,
      name: 'Beta users',
      key: 'beta-1',
      description: null,
      rules: [],
      revision: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
    })
    expect((await server.call({ path: `${environment}/segments/beta-1` })).body).toEqual(body)
    expect((await server.call({ path: `${environment}/segments` })).body).toContainEqual(body)
    expect((await server.call({ method: 'DELETE', path: `${environment}/segments/beta-1` })).status).toBe(204)
    expect((await server.call({ path: `${environment}/segments/beta-1` })).status).toBe(404)
    expect((await server.call({ method: 'DELETE', path: `${environment}/segments/beta-1` })).status).toBe(404)
  })

  it('a segment with an existing key is 409', async () => {
    await create('twice')
    expect((await create('twice')).status).toBe(409)
  })

  it.each([
    ['no name', { key: 'x' }],
    ['a blank name', { key: 'x', name: ' ' }],
    ['no key', { name: 'x' }],
    ['a key with a space', { name: 'x', key: 'a b' }],
    ['a key of 101 characters', { name: 'x', key: 'k'.repeat(101) }],
    ['an incomplete rule', { name: 'x', key: 'x', rules: [{ attribute: 'a' }] }],
  ])('a segment with %s is 422', async (_name, body) => {
    expect((await server.call({ path: `${environment}/segments`, body })).status).toBe(422)
  })

  it('take If-Match: a stale revision is 412 and changes nothing', async () => {
    const { body: created, headers } = await create('guarded-segment')
    const path = `${environment}/segments/guarded-segment`
    const send = (method: string, ifMatch: string, body?: object) =>
      server.call({ method, path, headers: { 'if-match': ifMatch }, ...(body && { body }) })
    const etag = `"${created.revision}"`
    expect(headers.get('etag')).toBe(etag)
    const changed = await send('PATCH', etag, { name: 'Second' })
    expect(changed.status).toBe(200)
    expect(changed.body.revision).toBeGreaterThan(created.revision)
    expect(changed.headers.get('etag')).toBe(`"${changed.body.revision}"`)
    expect((await server.call({ path })).headers.get('etag')).toBe(`"${changed.body.revision}"`)
    const stale = await send('PATCH', etag, { name: 'Third' })
    expect(stale).toMatchObject({
      status: 412,
      body: { error: expect.stringContaining('The segment was changed') },
    })
    expect((await send('DELETE', etag)).status).toBe(412)
    expect((await server.call({ path })).body.name).toBe('Second')
    expect((await send('DELETE', '*')).status).toBe(204)
    expect((await send('PATCH', '*', {})).status).toBe(404)
    expect((await create('guarded-segment')).body.revision).toBeGreaterThan(changed.body.revision)
  })

  it('have a new revision when the segment that they name is renamed', async () => {
    await create('renamed-inner')
    const { body: outer } = await create('renaming-outer', [{ segment_key: 'renamed-inner' }])
    await change('renamed-inner', { key: 'renamed-innermost' })
    const { body } = await server.call({ path: `${environment}/segments/renaming-outer` })
    expect(body.rules).toEqual([{ segment_key: 'renamed-innermost' }])
    expect(body.revision).toBeGreaterThan(outer.revision)
  })

  it('segments are changed by merge patch', async () => {
    await create('merging', [rule('@a')], { description: 'old' })
    expect((await change('merging', { name: 'New' })).body).toMatchObject({
      name: 'New',
      description: 'old',
      rules: [rule('@a')],
    })
    expect((await change('merging', { description: null, rules: null })).body).toMatchObject({
      description: null,
      rules: [],
    })
    expect((await change('merging', { name: null })).status).toBe(422)
    expect((await change('missing', { name: 'x' })).status).toBe(404)
  })
})

describe('segments that expand to too much', () => {
  it('a segment that expands to too much is 422 when a flag names it, and the server stays responsive', async () => {
    const many = (key: string) => Array.from({ length: 5_000 }, () => ({ segment_key: key }))
    await create('vast-1', many('vast-2'))
    await create('vast-2', many('nothing'))
    const refused = await putFlag('vast', [{ segment_key: 'vast-1' }])
    expect(refused.status).toBe(422)
    expect((await server.call({ path: '/health', as: 'anonymous' })).status).toBe(200)
  })
})

describe('segments for SDKs', () => {
  it('SDKs receive the rules of a segment in its place', async () => {
    await create('staff', [rule('@burgee.dev'), rule('@example.com', { variant: 'own' })])
    await putFlag('expanded', [rule('@first'), { segment_key: 'staff', variant: 'v' }], {
      flag_type: 'string',
    })
    const { data } = await sent('expanded', (rules) => rules.length === 3)
    expect(data.flag.rules).toEqual([
      rule('@first'),
      rule('@burgee.dev', { variant: 'v' }),
      rule('@example.com', { variant: 'own' }),
    ])
    expect(stream.text()).not.toContain('segment_key')
    const listed = await server.call({ path: `${environment}/flags/expanded` })
    expect(listed.body.rules[1]).toEqual({ segment_key: 'staff', variant: 'v' })
  })

  it('editing a segment sends every flag that references it, directly or through another, and no other', async () => {
    await create('inner', [rule('@1')])
    await create('outer', [{ segment_key: 'inner' }])
    await putFlag('direct', [{ segment_key: 'inner' }])
    await putFlag('indirect', [{ segment_key: 'outer' }])
    await putFlag('apart', [rule('@apart')])
    await sent('apart', () => true)
    const before = stream.events.length
    await change('inner', { rules: [rule('@2')] })
    const isNew = (rules: unknown[]) => JSON.stringify(rules) === JSON.stringify([rule('@2')])
    await sent('direct', isNew)
    await sent('indirect', isNew)
    expect(
      stream.events
        .slice(before)
        .map(({ data }) => data.flag.key)
        .sort(),
    ).toEqual(['direct', 'indirect'])
  })

  it('deleting a segment sends its flags without its rules', async () => {
    await create('passing', [rule('@x')])
    await putFlag('orphan', [{ segment_key: 'passing' }, rule('@stays')])
    await sent('orphan', (rules) => rules.length === 2)
    await server.call({ method: 'DELETE', path: `${environment}/segments/passing` })
    const { data } = await sent('orphan', (rules) => rules.length === 1)
    expect(data.flag.rules).toEqual([rule('@stays')])
  })

  it('creating a segment sends the flags that already named it', async () => {
    const { body } = await putFlag('early', [{ segment_key: 'later' }])
    expect(body.warnings).toEqual([expect.objectContaining({ code: 'unknown_segment' })])
    await create('later', [rule('@late')])
    await sent('early', (rules) => rules.length === 1)
  })

  it('a new key of a segment is written into the rules that name the old one', async () => {
    await create('old-name', [rule('@named')])
    await create('naming', [{ segment_key: 'old-name' }])
    const { body: written } = await putFlag('named', [{ segment_key: 'old-name' }])
    expect((await change('old-name', { key: 'new-name' })).status).toBe(200)
    expect((await server.call({ path: `${environment}/flags/named` })).body.rules).toEqual([
      { segment_key: 'new-name' },
    ])
    expect((await server.call({ path: `${environment}/segments/naming` })).body.rules).toEqual([
      { segment_key: 'new-name' },
    ])
    expect((await server.call({ path: `${environment}/segments/old-name` })).status).toBe(404)
    expect((await change('naming', { key: 'new-name' })).status).toBe(409)
    const late = await server.call({
      method: 'PATCH',
      path: `${environment}/flags/named`,
      body: { rules: [] },
      headers: { 'if-match': `"${written.revision}"` },
    })
    expect(late.status).toBe(412)
    const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })
    expect(snapshot.body.find((flag: { key: string }) => flag.key === 'named').rules).toEqual([
      rule('@named'),
    ])
  })

  it('a new key of a segment is written into pending changes, and the log names the flags', async () => {
    const body = { name: 'Waiting', slug: 'waiting' }
    const at = `/api/projects/${server.project.id}/environments`
    const calls = createEnvironmentCalls(server, (await server.call({ path: at, body })).body.id)
    const naming = (segment_key: string) => [rule('@x'), { segment_key }, { segment_key: 'first-not' }]
    await calls.send('POST', '/segments', 'admin', { name: 'First', key: 'first', rules: [rule('@first')] })
    await calls.send('POST', '/segments', 'admin', { name: 'Outer', key: 'outer', rules: naming('first') })
    for (const key of ['direct', 'archived', 'waiting', 'scheduled']) {
      await calls.put({ key, rules: key === 'waiting' || key === 'scheduled' ? [] : naming('first') })
    }
    await calls.put({ key: 'through', rules: [{ segment_key: 'outer' }] })
    await calls.put({ key: 'apart', rules: [{ segment_key: 'first-not' }] })
    await calls.send('POST', '/flags/archived/archive', 'admin')
    const scheduled = (patch: object) =>
      calls.send('POST', '/flags/scheduled/scheduled-changes', 'admin', { scheduled_at: FAR_AHEAD, patch })
    await scheduled({ rules: naming('first') })
    await scheduled({ description: 'first' })
    await calls.require({ require_approval: true, approval_scope: 'all' })
    const asked = [
      await calls.patch('waiting', { rules: naming('first') }, 'admin'),
      await calls.put({ key: 'waiting', rules: naming('first') }),
      await calls.patch('direct', { tags: ['first'] }, 'admin'),
      await calls.patch('waiting', { rules: naming('first') }, 'admin'),
    ].map((answer) => answer.body.id)
    await calls.reject(asked[3], 'admin')
    const pendingPatch = (await calls.request(asked[3])).patch

    const rename = (key: string, to: string) => calls.send('PATCH', `/segments/${key}`, 'admin', { key: to })
    const before = (await calls.requests()).body
    expect((await rename('first', 'outer')).status).toBe(409)
    expect((await calls.requests()).body).toEqual(before)
    expect((await rename('first', 'second')).status).toBe(200)

    const [patch, replace, tags] = await Promise.all(asked.slice(0, 3).map((id) => calls.request(id)))
    expect(patch).toMatchObject({
      patch: { rules: naming('second') },
      body: { patch: { rules: naming('second') } },
    })
    expect(patch.preview.after.rules).toEqual(naming('second'))
    expect(replace).toMatchObject({
      patch: { rules: naming('second') },
      body: { flag: { rules: naming('second') } },
    })
    expect(tags).toMatchObject({ patch: { tags: ['first'] }, body: { patch: { tags: ['first'] } } })
    // The flag was renamed with its segment, which is not a conflict.
    for (const request of [patch, replace, tags]) expect(request.preview.conflicts).toEqual([])
    // A decided request does not change.
    expect((await calls.request(asked[3])).patch).toEqual(pendingPatch)
    const changes = (await calls.send('GET', '/scheduled-changes', 'admin')).body
    expect(changes.map((change: { patch: object }) => change.patch)).toEqual([
      { rules: naming('second') },
      { description: 'first' },
    ])
    const { rows } = await server.database.pool.query(
      "select metadata from audit_log where environment_id = $1 and action = 'update' and flag_key = '' order by id desc limit 1",
      [calls.id],
    )
    expect(rows[0].metadata).toMatchObject({ resource: 'segment:second', flags: ['archived', 'direct'] })
  })
})

describe('flags whose segments expand to too much', () => {
  it('a flag that expands to too much is 422 also when it would need approval or be scheduled', async () => {
    const body = { name: 'Deep', slug: 'deep' }
    const at = `/api/projects/${server.project.id}/environments`
    const calls = createEnvironmentCalls(server, (await server.call({ path: at, body })).body.id)
    for (let level = 0; level < 60; level += 1) {
      const rules = level === 0 ? [rule('@deep')] : [{ segment_key: `level-${level - 1}` }]
      await calls.send('POST', '/segments', 'admin', { name: 'Level', key: `level-${level}`, rules })
    }
    const DEEP = { rules: [{ segment_key: 'level-59' }] }
    await calls.put({ key: 'flag' })
    await calls.put({ key: 'other' })
    await calls.send('POST', '/flags/other/archive', 'admin')
    const source = createEnvironmentCalls(server, server.environments.development)
    const schedule = () =>
      calls.send('POST', '/flags/flag/scheduled-changes', 'admin', { scheduled_at: FAR_AHEAD, patch: DEEP })
    await source.put({ key: 'flag', ...DEEP })
    const refused: { status: number }[] = [await calls.patch('flag', DEEP, 'admin'), await schedule()]
    await calls.require({ require_approval: true })
    refused.push(await calls.patch('flag', DEEP, 'admin'))
    await calls.require({ require_approval: true, approval_scope: 'all' })
    refused.push(await calls.patch('flag', DEEP, 'admin'), await schedule())
    refused.push(await calls.put({ key: 'flag', ...DEEP }))
    refused.push(await source.send('POST', '/flags/flag/promote', 'admin', { target_env_id: calls.id }))
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422, 422])
    expect((await calls.requests()).body).toEqual([])
    expect((await calls.send('GET', '/scheduled-changes', 'admin')).body).toEqual([])

    // An archived flag is not sent, so it may name them; restoring it is refused.
    const archived = await calls.patch('other', DEEP, 'admin')
    expect(archived.status).toBe(202)
    expect((await calls.approve(archived.body.id, await reviewer())).status).toBe(200)
    expect((await calls.send('POST', '/flags/other/unarchive', 'admin')).status).toBe(422)
  })

  /** Creates a person other than the admin. */
  async function reviewer() {
    const { id } = server.project
    const { cookie } = await addUser(server, { email: 'reviewer@example.com', memberOf: { [id]: 'editor' } })
    return { cookie }
  }
})
