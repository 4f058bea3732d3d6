import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  actionsOf,
  createEnvironmentCalls,
  type EnvironmentCalls,
  typesOf,
} from '../../governance/environment-calls.ts'
import { createPeople, type People } from '../../governance/people.ts'
import { contentOf } from '../../governance/twins.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream, type TestStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { stateOf } from '../../harness/state-of.ts'

let server: TestServer
let people: People
let production: EnvironmentCalls
let development: EnvironmentCalls
/** The stream of an SDK of Production. */
let stream: TestStream
let key: string
let count = 0

beforeAll(async () => {
  server = await startTestServer()
  people = await createPeople(server)
  production = createEnvironmentCalls(server, server.environments.production)
  development = createEnvironmentCalls(server, server.environments.development)
  stream = await readStream(`${server.url}/stream`, { authorization: `Bearer ${server.sdkKey}` })
  await stream.until(({ event }) => event === 'ready')
})
afterAll(async () => {
  stream.close()
  await server.close()
})
beforeEach(() => {
  count += 1
  key = `flag-${count}`
})

const flag = async (calls = production, of = key) => (await calls.get(of)).body
const snapshot = async (): Promise<{ key: string }[]> =>
  (await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })).body
const seen = async (of = key) => (await snapshot()).find((shown) => shown.key === of)

/** Returns the live updates of a flag, once those of all earlier writes have arrived. */
async function updatesOf(of: string) {
  const mark = `mark-${count}-${stream.events.length}`
  await production.put({ key: mark })
  await stream.until(({ data, event }) => event === 'update' && data.flag?.key === mark)
  return stream.events
    .filter(({ data, event }) => event === 'update' && (data.flag?.key ?? data.key) === of)
    .map(({ data }) => data)
}

const RULE = { attribute: 'plan', operator: 'equals', values: ['pro'] }
const EVERYTHING = {
  is_enabled: true,
  rollout_percentage: 33,
  description: 'All of it',
  rules: [{ ...RULE, variant: 'a', conditions: [{ ...RULE, attribute: 'country' }] }],
  flag_type: 'string',
  default_value: 'd',
  disabled_value: 'off',
  variants: [
    { weight: 1, value: 'a' },
    { weight: 3, value: 'b' },
  ],
  prerequisites: [{ flag_key: 'base', required_value: true }],
  tags: ['x', 'y'],
  owner_email: 'team@example.com',
}

describe('promote', () => {
  const promote = (body: object = {}, as: Parameters<EnvironmentCalls['put']>[1] = people.editor.as) =>
    development.send('POST', `/flags/${key}/promote`, as, { target_env_id: production.id, ...body })

  it('promote copies everything into a new flag, which is not archived although the source is', async () => {
    await development.put({ key, ...EVERYTHING })
    await development.send('POST', `/flags/${key}/archive`, 'admin')
    const { body, headers, status } = await promote()
    expect(status).toBe(200)
    expect(body).toMatchObject({ key, ...EVERYTHING, archived_at: null })
    const promoted = stateOf(body)
    expect(promoted).toEqual(await flag())
    expect(headers.get('etag')).toBe(`"${body.revision}"`)
    expect(await seen()).toEqual(promoted)
  })

  it('promote overwrites an existing flag, except for whether it is archived', async () => {
    await development.put({ key, ...EVERYTHING })
    await production.put({ key, description: 'Mine', tags: ['mine'] })
    const { archived_at } = (await production.send('POST', `/flags/${key}/archive`, 'admin')).body
    expect((await promote()).body).toMatchObject({ key, ...EVERYTHING, archived_at })
    expect(await seen()).toBeUndefined()
    await production.send('POST', `/flags/${key}/unarchive`, 'admin')
    expect(await seen()).toMatchObject(EVERYTHING)
  })

  it('promote fires only flag.promoted, in the target, with the source environment', async () => {
    await development.put({ key, description: 'From here' })
    await production.put({ key })
    const previous = await flag()
    await promote()
    expect(typesOf(await development.events(key))).toEqual(['flag.created'])
    const published = await production.events(key)
    expect(typesOf(published)).toEqual(['flag.created', 'flag.promoted'])
    expect(published[1]?.data).toMatchObject({
      environment: { id: production.id },
      source_environment: { id: development.id, name: 'Development', slug: 'development' },
      actor_email: people.editor.email,
      flag: await flag(),
      previous,
    })
    expect(actionsOf(await development.audit(key))).toEqual(['create'])
    expect((await production.audit(key)).at(-1)).toMatchObject({
      action: 'promote',
      before: previous,
      after: await flag(),
      metadata: { origin: 'promote', source_environment_id: development.id },
    })
  })

  describe('promoting a flag with segments', () => {
    let inner: string
    let outer: string
    beforeEach(async () => {
      inner = `inner-${count}`
      outer = `outer-${count}`
      await development.send('POST', '/segments', 'admin', { name: 'In', key: inner, rules: [RULE] })
      const rules = [{ segment_key: inner }]
      await development.send('POST', '/segments', 'admin', {
        name: 'Out',
        key: outer,
        description: 'o',
        rules,
      })
      await development.put({ key, rules: [{ segment_key: outer }] })
    })
    const segment = async (of: string) => production.send('GET', `/segments/${of}`, 'admin')

    it('promote warns of segments that the target lacks', async () => {
      const { body, status } = await promote()
      expect(status).toBe(200)
      expect(body.warnings).toMatchObject([
        { code: 'unknown_segment', path: '/rules/0/segment_key', message: expect.stringContaining(outer) },
      ])
      expect((await segment(outer)).status).toBe(404)
      expect(await seen()).toMatchObject({ rules: [] })
    })

    it('promote with copy_segments copies them at any depth, and sends dependent flags again', async () => {
      const dependent = `dependent-${count}`
      await production.put({ key: dependent, rules: [{ segment_key: inner }] })
      const { body } = await promote({ copy_segments: true })
      expect(body.warnings).toBeUndefined()
      expect((await segment(outer)).body).toMatchObject({
        name: 'Out',
        description: 'o',
        environment_id: production.id,
        rules: [{ segment_key: inner }],
      })
      expect((await segment(inner)).body).toMatchObject({ name: 'In', rules: [RULE] })
      expect(await seen()).toMatchObject({ rules: [RULE] })
      expect((await updatesOf(dependent)).map(({ flag: { rules } }) => rules)).toEqual([[], [RULE]])
      expect(await updatesOf(key)).toHaveLength(1)
      expect((await production.audit(key)).at(-1)?.metadata.copied_segments.sort()).toEqual([inner, outer])
    })

    it('promote does not change segments that the target has', async () => {
      const rules = [{ ...RULE, values: ['free'] }]
      await production.send('POST', '/segments', 'admin', { name: 'Mine', key: inner, rules })
      await promote({ copy_segments: true })
      expect((await segment(inner)).body).toMatchObject({ name: 'Mine', rules })
      expect(await seen()).toMatchObject({ rules })
    })
  })

  it('promote refuses invalid targets', async () => {
    await development.put({ key })
    const foreign = (await server.call({ path: '/api/projects', body: { name: `Foreign ${key}` } })).body
    const to = async (target_env_id: unknown, as: Parameters<EnvironmentCalls['put']>[1] = 'admin') =>
      (await promote({ target_env_id }, as)).status
    expect(await to(development.id)).toBe(422)
    expect(await to(development.id.toUpperCase())).toBe(422)
    expect(await to(foreign.environments[0].id)).toBe(422)
    expect(await to('00000000-0000-4000-8000-000000000000')).toBe(404)
    for (const odd of ['nowhere', null, 7, undefined]) expect(await to(odd)).toBe(422)
    expect((await promote({ copy_segments: 'yes' })).status).toBe(422)
    expect(await to(production.id, people.viewer.as)).toBe(403)
    expect(await to(production.id, people.outsider.as)).toBe(403)
    expect(await to(development.id, people.key)).toBe(403)
    expect((await production.get(key)).status).toBe(404)
    key = 'nowhere'
    expect(await to(production.id)).toBe(404)
    // 404 comes first: neither a missing right nor a wrong target changes that.
    expect(await to(development.id)).toBe(404)
    expect(await to(production.id, people.viewer.as)).toBe(404)
  })

  it('promote waits for no lock when it is refused', async () => {
    await development.put({ key })
    const foreign = (await server.call({ path: '/api/projects', body: { name: `Held ${key}` } })).body
    const held = foreign.environments[0].id
    const holder = await server.database.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select 1 from environments where id = any($1) for update', [[held, development.id]])
      expect((await promote({ target_env_id: held })).status).toBe(422)
      expect((await promote({ target_env_id: development.id })).status).toBe(422)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })

  it('promote with a server key is 403, because it reaches only its own environment', async () => {
    await production.put({ key })
    const body = { target_env_id: development.id }
    expect((await production.send('POST', `/flags/${key}/promote`, people.key, body)).status).toBe(403)
    expect((await development.get(key)).status).toBe(404)
  })
})

describe('archive and unarchive', () => {
  const act = (what: string, as: Parameters<EnvironmentCalls['put']>[1] = people.editor.as) =>
    production.send('POST', `/flags/${key}/${what}`, as)

  it('archiving removes a flag from stream and snapshot and keeps the row; unarchiving restores it', async () => {
    await production.put({ key, ...EVERYTHING })
    const before = await flag()
    const archived = await act('archive')
    expect(archived.status).toBe(200)
    expect(archived.body.archived_at).toMatch(/Z$/)
    expect(await flag()).toEqual({
      ...before,
      archived_at: archived.body.archived_at,
      revision: archived.body.revision,
    })
    expect(await seen()).toBeUndefined()
    const listed = async (query: string) =>
      (await production.send('GET', `/flags?${query}`, 'admin')).body.some(
        (shown: { key: string }) => shown.key === key,
      )
    expect([await listed(''), await listed('archived=true'), await listed('archived=false')]).toEqual([
      true,
      true,
      false,
    ])
    const unarchived = (await act('unarchive')).body
    expect(contentOf(unarchived)).toEqual(contentOf(before))
    expect((await updatesOf(key)).map(({ type }) => type)).toEqual(['UPSERT', 'DELETE', 'UPSERT'])
    expect(typesOf(await production.events(key))).toEqual(['flag.created', 'flag.updated', 'flag.updated'])
    expect(actionsOf(await production.audit(key))).toEqual(['create', 'archive', 'unarchive'])
  })

  it('archiving twice keeps the first time and changes nothing for SDKs', async () => {
    await production.put({ key })
    const first = (await act('archive')).body
    const second = (await act('archive')).body
    expect(second.archived_at).toBe(first.archived_at)
    expect(second.revision).toBeGreaterThan(first.revision)
    await production.patch(key, { description: 'Changed' }, 'admin')
    expect((await updatesOf(key)).map(({ type }) => type)).toEqual(['UPSERT', 'DELETE'])
  })

  it('archiving a missing flag is 404, as a viewer 403, with a stale revision 412', async () => {
    expect((await act('archive')).status).toBe(404)
    expect((await act('unarchive', people.viewer.as)).status).toBe(404)
    await production.put({ key })
    expect((await act('archive', people.viewer.as)).status).toBe(403)
    const path = `/api/environments/${production.id}/flags/${key}/archive`
    const stale = await server.call({ method: 'POST', path, headers: { 'if-match': '"0"' } })
    expect(stale.status).toBe(412)
  })
})

describe('restore', () => {
  const restore = (revision: unknown, as: Parameters<EnvironmentCalls['put']>[1] = people.editor.as) =>
    production.send('POST', `/flags/${key}/restore`, as, { revision })

  it('restore brings an earlier revision back as a new change', async () => {
    const first = (await production.put({ key, ...EVERYTHING })).body
    const second = (await production.put({ key, description: 'Second' })).body
    const { body, status } = await restore(first.revision)
    expect(status).toBe(200)
    expect(contentOf(body)).toEqual(contentOf(first))
    expect(body.revision).toBeGreaterThan(second.revision)
    expect(await seen()).toMatchObject(EVERYTHING)
    expect(typesOf(await production.events(key)).at(-1)).toBe('flag.updated')
    expect((await production.audit(key)).at(-1)).toMatchObject({
      action: 'restore',
      before: stateOf(second),
      metadata: { origin: 'direct', restored_revision: first.revision },
    })
    expect(contentOf((await restore(second.revision)).body)).toEqual(contentOf(second))
  })

  it('restore includes whether the flag was archived', async () => {
    const active = (await production.put({ key })).body
    const archived = (await production.send('POST', `/flags/${key}/archive`, 'admin')).body
    expect((await restore(active.revision)).body.archived_at).toBeNull()
    expect(await seen()).toBeDefined()
    expect((await restore(archived.revision)).body.archived_at).not.toBeNull()
    expect(await seen()).toBeUndefined()
  })

  it('restore can undo an approved change', async () => {
    await production.put({ key })
    await production.require({ require_approval: true })
    const asked = await production.patch(key, { description: 'Approved' }, people.requester.as)
    const approved = (await production.approve(asked.body.id, people.editor.as)).body
    await production.require({ require_approval: false })
    await production.put({ key, description: 'Later' })
    expect((await restore(approved.revision)).body).toMatchObject({ description: 'Approved' })
  })

  it('restore is 422 for a revision that the history lacks', async () => {
    const { revision } = (await production.put({ key })).body
    for (const odd of [revision + 1, 0, -1, 1.5, '1', null, undefined, 2 ** 60]) {
      expect((await restore(odd)).status, String(odd)).toBe(422)
    }
    expect((await restore(revision, people.viewer.as)).status).toBe(403)
    key = 'nowhere'
    expect((await restore(revision)).status).toBe(404)
  })
})

describe('bulk actions', () => {
  const bulk = (body: object, as: Parameters<EnvironmentCalls['put']>[1] = people.editor.as) =>
    production.send('POST', '/flags/bulk', as, body)

  it.each([
    ['enable', { is_enabled: true }, 'update', 'flag.updated'],
    ['disable', { is_enabled: false }, 'update', 'flag.updated'],
    ['archive', { archived_at: expect.any(String) }, 'archive', 'flag.updated'],
    ['unarchive', { archived_at: null }, 'unarchive', 'flag.updated'],
    ['add_tags', { tags: ['a', 'b', 'c'] }, 'update', 'flag.updated'],
    ['remove_tags', { tags: ['a'] }, 'update', 'flag.updated'],
  ])(
    'the bulk action %s has the effect of the single call on each flag',
    async (action, after, audited, published) => {
      const keys = [`${key}-2`, `${key}-1`]
      for (const one of keys) await production.put({ key: one, tags: ['a', 'b'] })
      const { body, status } = await bulk({ keys, action, tags: ['b', 'c', 'c'] })
      expect(status).toBe(200)
      expect(body.results).toEqual(
        keys.map((one) => ({ key: one, status: 200, flag: expect.objectContaining({ key: one, ...after }) })),
      )
      for (const { flag: shown, key: one } of body.results) {
        expect((await production.get(one)).body).toEqual(stateOf(shown))
        expect(typesOf(await production.events(one))).toEqual(['flag.created', published])
        expect(actionsOf(await production.audit(one))).toEqual(['create', audited])
      }
    },
  )

  it('the bulk action delete is 204 for each flag and fires flag.deleted', async () => {
    const keys = [`${key}-1`, `${key}-2`]
    for (const one of keys) await production.put({ key: one })
    const { body } = await bulk({ keys, action: 'delete' })
    expect(body.results).toEqual(keys.map((one) => ({ key: one, status: 204 })))
    for (const one of keys) {
      expect((await production.get(one)).status).toBe(404)
      expect(typesOf(await production.events(one)).at(-1)).toBe('flag.deleted')
      expect(actionsOf(await production.audit(one)).at(-1)).toBe('delete')
    }
  })

  it('a bulk action works key by key in the given order; a refusal of one does not affect others', async () => {
    await production.put({ key })
    const odd = ['', 'no such flag', '%', 'x'.repeat(101), 'a\u00e4']
    const keys = ['nowhere', key, ...odd, key, '__proto__']
    const { body } = await bulk({ keys, action: 'delete' })
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual([
      404,
      204,
      ...odd.map(() => 404),
      404,
      404,
    ])
    expect(body.results.map((result: { key: string }) => result.key)).toEqual(keys)
    for (const { error, status } of body.results) {
      if (status !== 204) expect(error).toEqual(expect.any(String))
    }
  })

  it.each([
    ['503 while the database cannot do it', '40001', 503],
    ['500 on a fault of our own', 'P0001', 500],
  ])('an error of one key is its result, and the others continue: %s', async (_, errcode, status) => {
    const keys = [`${key}-1`, `${key}-2`, `${key}-3`]
    const [first = '', failing = '', last = ''] = keys
    for (const one of keys) await production.put({ key: one })
    const { pool } = server.database
    await pool.query(
      `create function fail_now() returns trigger language plpgsql as $$
       begin raise exception 'not for callers' using errcode = '${errcode}'; end $$;
       create trigger fail_now before update on flags for each row when (new.key = '${failing}') execute function fail_now()`,
    )
    const { body } = await bulk({ keys, action: 'enable' })
    await pool.query('drop function fail_now cascade')
    expect(body.results).toEqual([
      { key: first, status: 200, flag: expect.objectContaining({ is_enabled: true }) },
      { key: failing, status, error: expect.not.stringContaining('not for callers') },
      { key: last, status: 200, flag: expect.objectContaining({ is_enabled: true }) },
    ])
    expect((await production.get(failing)).body.is_enabled).toBe(false)
    expect(actionsOf(await production.audit(failing))).toEqual(['create'])
  })

  describe('bulk actions with many keys', () => {
    /** Locks one flag until it is released. */
    async function holdFlag(of: string) {
      const holder = await server.database.pool.connect()
      await holder.query('begin')
      await holder.query('select 1 from flags where environment_id = $1 and key = $2 for update', [
        production.id,
        of,
      ])
      return async () => {
        await holder.query('rollback')
        holder.release()
      }
    }

    async function start(keys: readonly string[]) {
      const stop = new AbortController()
      const answer = await fetch(`${server.url}/api/environments/${production.id}/flags/bulk`, {
        method: 'POST',
        headers: {
          cookie: server.cookie,
          'x-flagservice-request': 'true',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ keys, action: 'enable' }),
        signal: stop.signal,
      })
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
      const next = async () => (await reader?.read())?.value ?? ''
      return { answer, next, stop }
    }

    it('each result of a bulk action is sent as soon as it exists', async () => {
      const keys = [`${key}-1`, `${key}-2`]
      for (const one of keys) await production.put({ key: one })
      const release = await holdFlag(`${key}-2`)
      const { answer, next } = await start(keys)
      let text = ''
      while (!text.includes('"status":200')) text += await next()
      expect(text).toContain(`{"results":[{"key":"${key}-1","status":200`)
      expect(text).not.toContain(`${key}-2`)
      expect((await flag(production, `${key}-1`)).is_enabled).toBe(true)
      await release()
      for (let more = await next(); more; more = await next()) text += more
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(JSON.parse(text).results.map((result: { key: string }) => result.key)).toEqual(keys)
    })

    it('a caller that leaves ends the bulk action after the current key', async () => {
      const keys = [`${key}-1`, `${key}-2`, `${key}-3`]
      for (const one of keys) await production.put({ key: one })
      const release = await holdFlag(`${key}-2`)
      const { next, stop } = await start(keys)
      await next()
      const gone = server.logged().split('"status":499').length
      stop.abort()
      await eventually(() => server.logged().split('"status":499').length > gone)
      await release()
      // It comes after the rest of the action: writes of an environment queue.
      await production.put({ key: `${key}-mark` })
      const enabled = await Promise.all(keys.map(async (one) => (await flag(production, one)).is_enabled))
      expect(enabled).toEqual([true, true, false])
    })
  })

  it('a bulk action applies to a repeated key twice', async () => {
    await production.put({ key })
    const { body } = await bulk({ keys: [key, key], action: 'enable' })
    const [first, second] = body.results
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.flag.revision).toBeGreaterThan(first.flag.revision)
    expect(await production.audit(key)).toHaveLength(3)
  })

  it.each([
    ['no tags', { action: 'add_tags' }],
    ['tags null', { action: 'remove_tags', tags: null }],
    ['empty tags', { action: 'add_tags', tags: [] }],
    ['tags that are no text', { action: 'add_tags', tags: [1] }],
    ['an unknown action', { action: 'explode' }],
    ['no action', {}],
    ['no keys', { action: 'enable', keys: [] }],
    ['keys that are no list', { action: 'enable', keys: 'flag' }],
    ['more than 1,000 keys', { action: 'enable', keys: Array.from({ length: 1001 }, () => 'a') }],
    ['NUL in a key', { action: 'enable', keys: ['a\u0000'] }],
  ])('a bulk action with %s is 422', async (_, body) => {
    await production.put({ key })
    expect((await bulk({ keys: [key], ...body })).status).toBe(422)
    expect(await production.audit(key)).toHaveLength(1)
  })

  it('bulk actions are for editors and server keys', async () => {
    await production.put({ key })
    const statuses: number[] = []
    for (const as of [
      people.key,
      people.viewer.as,
      people.client_key,
      people.outsider.as,
      'anonymous',
    ] as const) {
      statuses.push((await bulk({ keys: [key], action: 'enable' }, as)).status)
    }
    expect(statuses).toEqual([200, 403, 403, 403, 401])
  })

  it('a bulk action makes requests, key by key, where patches need approval', async () => {
    await production.put({ key })
    await production.require({ require_approval: true })
    const { body } = await bulk({ keys: [key], action: 'enable' })
    expect(body.results).toMatchObject([
      { key, status: 202, change_request: { patch: { is_enabled: true } } },
    ])
    await production.require({ require_approval: false })
    expect(await flag()).toMatchObject({ is_enabled: false })
  })
})
