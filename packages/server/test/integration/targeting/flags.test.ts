import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { ADMIN, type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let flags: string

beforeAll(async () => {
  server = await startTestServer()
  flags = `/api/environments/${server.environments.production}/flags`
})
afterAll(() => server.close())

const put = (body: object, headers?: Record<string, string>): Promise<Answer> =>
  server.call({ method: 'POST', path: flags, body, ...(headers && { headers }) })
const patch = (key: string, body: unknown, headers?: Record<string, string>): Promise<Answer> =>
  server.call({ method: 'PATCH', path: `${flags}/${key}`, body, ...(headers && { headers }) })
const get = (key: string): Promise<Answer> => server.call({ path: `${flags}/${key}` })

describe('POST flags', () => {
  it('POST flags creates a flag with the defaults of missing fields', async () => {
    const { body, headers, status } = await put({ key: 'plain', is_enabled: true })
    expect(status).toBe(200)
    expect(body).toEqual({
      key: 'plain',
      is_enabled: true,
      rollout_percentage: null,
      description: null,
      rules: [],
      flag_type: 'boolean',
      default_value: true,
      disabled_value: false,
      variants: [],
      prerequisites: [],
      tags: [],
      owner_email: null,
      archived_at: null,
      revision: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
      updated_by: ADMIN.email,
    })
    expect(headers.get('etag')).toBe(`"${body.revision}"`)
    expect((await get('plain')).body).toEqual(body)
  })

  it('POST flags stores every field as given', async () => {
    const full = {
      key: 'full_Flag-1',
      is_enabled: false,
      rollout_percentage: 0,
      description: 'Für alle 🎉',
      rules: [
        { attribute: 'country', operator: 'equals', values: ['NO', 'SE'], variant: { a: 1 } },
        {
          attribute: 'age',
          operator: 'greater_than_or_equal',
          values: ['18'],
          conditions: [{ attribute: 'plan', operator: 'contains', values: ['pro'] }],
        },
        { segment_key: 'beta' },
      ],
      flag_type: 'json',
      default_value: { deep: [1, 'x', null], __proto_: false },
      disabled_value: 'off',
      variants: [
        { weight: 0, value: null },
        { weight: 3, value: [1] },
      ],
      prerequisites: [{ flag_key: 'plain', required_value: true }],
      tags: ['a', 'b'],
      owner_email: 'team checkout',
    }
    const { body, status } = await put(full)
    expect(status).toBe(200)
    expect(body).toMatchObject(full)
    expect(body.warnings).toEqual([
      expect.objectContaining({ code: 'unknown_segment', path: '/rules/2/segment_key' }),
    ])
    expect((await get('full_Flag-1')).body).toMatchObject(full)
  })

  it('POST flags replaces the whole flag when the key exists', async () => {
    await put({ key: 'replaced', is_enabled: true, description: 'old', tags: ['x'], rollout_percentage: 10 })
    const { body } = await put({ key: 'replaced', is_enabled: false })
    expect(body).toMatchObject({ is_enabled: false, description: null, tags: [], rollout_percentage: null })
  })

  it('POST flags restores an archived flag', async () => {
    await put({ key: 'revived', is_enabled: true })
    await patch('revived', { archived_at: '2026-01-01T00:00:00Z' })
    const { body } = await put({ key: 'revived', is_enabled: true, archived_at: '2026-01-01T00:00:00Z' })
    expect(body.archived_at).toBeNull()
  })

  it.each([
    ['no key', { is_enabled: true }],
    ['an empty key', { key: '', is_enabled: true }],
    ['a key with a space', { key: 'a b', is_enabled: true }],
    ['a key with a letter that is not ASCII', { key: 'flåg', is_enabled: true }],
    ['a key with a newline at its end', { key: 'flag\n', is_enabled: true }],
    ['a key of 101 characters', { key: 'k'.repeat(101), is_enabled: true }],
    ['no is_enabled', { key: 'bad' }],
    ['is_enabled null', { key: 'bad', is_enabled: null }],
    ['is_enabled as a text', { key: 'bad', is_enabled: 'true' }],
    ['rollout_percentage -1', { key: 'bad', is_enabled: true, rollout_percentage: -1 }],
    ['rollout_percentage 101', { key: 'bad', is_enabled: true, rollout_percentage: 101 }],
    ['rollout_percentage 12.5', { key: 'bad', is_enabled: true, rollout_percentage: 12.5 }],
    ['rollout_percentage as a text', { key: 'bad', is_enabled: true, rollout_percentage: '50' }],
    ['an unknown flag_type', { key: 'bad', is_enabled: true, flag_type: 'number' }],
    ['flag_type null', { key: 'bad', is_enabled: true, flag_type: null }],
    [
      'an unknown operator',
      { key: 'bad', is_enabled: true, rules: [{ attribute: 'a', operator: 'is', values: ['b'] }] },
    ],
    [
      'values that are no texts',
      { key: 'bad', is_enabled: true, rules: [{ attribute: 'a', operator: 'equals', values: [1] }] },
    ],
    ['a rule without anything', { key: 'bad', is_enabled: true, rules: [{}] }],
    [
      'a condition without values',
      {
        key: 'bad',
        is_enabled: true,
        rules: [{ segment_key: 's', conditions: [{ attribute: 'a', operator: 'equals' }] }],
      },
    ],
    ['a default_value of another type', { key: 'bad', is_enabled: true, default_value: 'yes' }],
    ['variants on a boolean flag', { key: 'bad', is_enabled: true, variants: [{ weight: 1, value: true }] }],
    [
      'a negative weight',
      { key: 'bad', is_enabled: true, flag_type: 'string', variants: [{ weight: -1, value: 'a' }] },
    ],
    [
      'a fractional weight',
      { key: 'bad', is_enabled: true, flag_type: 'string', variants: [{ weight: 0.5, value: 'a' }] },
    ],
    [
      'weights of 0 alone',
      { key: 'bad', is_enabled: true, flag_type: 'string', variants: [{ weight: 0, value: 'a' }] },
    ],
    [
      'a prerequisite without a flag_key',
      { key: 'bad', is_enabled: true, prerequisites: [{ required_value: true }] },
    ],
    ['an owner_email of 321 characters', { key: 'bad', is_enabled: true, owner_email: 'x'.repeat(321) }],
    ['NUL in a text', { key: 'bad', is_enabled: true, description: 'a\0b' }],
    ['a lone surrogate', { key: 'bad', is_enabled: true, description: 'a\ud800' }],
    [
      '33 levels of JSON',
      {
        key: 'bad',
        is_enabled: true,
        flag_type: 'json',
        default_value: JSON.parse('['.repeat(33) + ']'.repeat(33)),
      },
    ],
    ['a list as the body', []],
  ])('POST flags refuses %s with 422 and the path', async (_name, body) => {
    const answer = await put(body)
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({ error: expect.any(String), details: expect.any(Array) })
    expect(answer.body.details.length).toBeGreaterThan(0)
    expect((await get('bad')).status).toBe(404)
  })

  it('POST flags accepts a key of 100 characters', async () => {
    const key = 'k'.repeat(100)
    expect((await put({ key, is_enabled: true })).status).toBe(200)
    expect((await get(key)).body.key).toBe(key)
  })

  it.each([
    ['null', null, null, null],
    ['empty', '', '', []],
    ['of another kind', 1, 'junk', [1]],
    ['present', 'a', 'equals', ['b']],
  ])(
    'POST flags ignores the test of a rule with a segment: %s',
    async (_name, attribute, operator, values) => {
      const rules = [{ segment_key: 'some', attribute, operator, values, conditions: null }]
      const { body, status } = await put({ key: 'segmented', is_enabled: true, rules })
      expect(status).toBe(200)
      expect(body.rules[0].segment_key).toBe('some')
    },
  )

  it('POST flags reports one problem for one mistake, also for a field that may be null', async () => {
    const { body } = await put({ key: 'bad', is_enabled: true, tags: [1], rollout_percentage: 'x' })
    expect(body.details).toEqual([
      { path: '/rollout_percentage', message: 'must be a whole number or null' },
      { path: '/tags/0', message: 'must be text' },
    ])
  })

  it('POST flags reports 50 of a megabyte of mistakes', async () => {
    const { body } = await put({
      key: 'bad',
      is_enabled: true,
      tags: Array.from({ length: 90_000 }, () => 1),
    })
    expect(body.details).toHaveLength(50)
  })

  it('POST flags reports 50 problems of tens of thousands of incomplete rules', async () => {
    const { body } = await put({ key: 'bad', is_enabled: true, rules: Array(90_000).fill({}) })
    expect(body.details).toHaveLength(50)
  })

  it.each([
    ['fields', Object.fromEntries(Array.from({ length: 50_001 }, (_, index) => [index, 0])), '50,000 fields'],
    ['list items', Array(100_001).fill(0), '100,000 list items'],
  ])('POST flags refuses a body with too many %s before it is parsed', async (_, default_value, most) => {
    const { body, status } = await put({ key: 'bad', is_enabled: true, flag_type: 'json', default_value })
    expect(status).toBe(422)
    expect(body.details).toEqual([{ path: '', message: `must not have more than ${most} in all` }])
  })

  it('POST flags accepts as many values as are realistic', async () => {
    const values = Array.from({ length: 90_000 }, (_, index) => `${index}`)
    const rules = [{ attribute: 'user', operator: 'equals', values }]
    expect((await put({ key: 'many-values', is_enabled: true, rules })).status).toBe(200)
  })

  it('POST flags names 49 unknown fields and counts the others', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 0]))
    const { body } = await put({ key: 'typo', is_enabled: true, ...unknown })
    expect(body.warnings).toHaveLength(50)
    expect(body.warnings.at(-1)).toEqual({
      code: 'more_warnings',
      path: '',
      message: 'There are 951 more warnings. Fix these first.',
    })
  })

  it('POST flags returns JSON in the order in which it was written', async () => {
    const body = '{"key":"ordered","is_enabled":true,"flag_type":"json","default_value":{"z":1,"a":2,"m":3}}'
    await server.call({ method: 'POST', path: flags, body, headers: { 'content-type': 'application/json' } })
    expect(Object.keys((await get('ordered')).body.default_value)).toEqual(['z', 'a', 'm'])
  })

  it('POST flags warns of unknown fields and ignores them', async () => {
    const { body } = await put({ key: 'typo', is_enabled: true, rollout: 10 })
    expect(body.warnings).toEqual([{ code: 'unknown_field', path: '/rollout', message: expect.any(String) }])
    expect((await get('typo')).body).not.toHaveProperty('rollout')
  })

  it('POST flags treats __proto__ and constructor as ordinary keys of free-form data', async () => {
    const body =
      '{"key":"proto","is_enabled":true,"flag_type":"json","default_value":{"__proto__":{"x":1},"constructor":{"prototype":2}}}'
    const answer = await server.call({
      method: 'POST',
      path: flags,
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(200)
    const response = await fetch(`${server.url}${flags}/proto`, {
      headers: { authorization: `Bearer ${server.sdkKey}` },
    })
    expect(await response.text()).toContain(
      '"default_value":{"__proto__":{"x":1},"constructor":{"prototype":2}}',
    )
  })
})

describe('PATCH flags', () => {
  it('PATCH flags changes only the given fields', async () => {
    const { body: before } = await put({
      key: 'patched',
      is_enabled: false,
      description: 'stays',
      rollout_percentage: 20,
      tags: ['t'],
    })
    const { body, status } = await patch('patched', { is_enabled: true })
    expect(status).toBe(200)
    const { revision, updated_at } = body
    expect(body).toEqual({ ...before, is_enabled: true, revision, updated_at })
    expect(revision).toBeGreaterThan(before.revision)
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    expect((await get('patched')).body).toEqual(body)
  })

  it('PATCH flags accepts application/merge-patch+json with a charset', async () => {
    await put({ key: 'merge-type', is_enabled: false })
    const headers = { 'content-type': 'application/merge-patch+json; charset=utf-8' }
    const { body } = await server.call({
      method: 'PATCH',
      path: `${flags}/merge-type`,
      body: '{"is_enabled":true}',
      headers,
    })
    expect(body.is_enabled).toBe(true)
  })

  it.each([
    ['rules', []],
    ['variants', []],
    ['prerequisites', []],
    ['tags', []],
    ['default_value', null],
    ['disabled_value', null],
    ['description', null],
    ['owner_email', null],
    ['rollout_percentage', null],
    ['archived_at', null],
  ])('PATCH flags clears %s with null', async (field, expected) => {
    await put({
      key: 'nulled',
      is_enabled: true,
      flag_type: 'string',
      rules: [{ attribute: 'a', operator: 'equals', values: ['b'] }],
      variants: [{ weight: 1, value: 'v' }],
      prerequisites: [{ flag_key: 'plain' }],
      tags: ['t'],
      default_value: 'd',
      disabled_value: 'o',
      description: 'x',
      owner_email: 'y',
      rollout_percentage: 5,
    })
    const { body, status } = await patch('nulled', { [field]: null })
    expect(status).toBe(200)
    expect(body[field]).toEqual(expected)
  })

  it('PATCH flags restores the default values of a boolean flag with null', async () => {
    await put({ key: 'nulled-boolean', is_enabled: true, default_value: false, disabled_value: true })
    const { body } = await patch('nulled-boolean', { default_value: null, disabled_value: null })
    expect(body).toMatchObject({ default_value: true, disabled_value: false })
  })

  it.each(['is_enabled', 'flag_type'])('PATCH flags refuses %s null with 422', async (field) => {
    expect((await patch('plain', { [field]: null })).status).toBe(422)
  })

  it('PATCH flags merges JSON values field by field and replaces lists as a whole', async () => {
    await put({
      key: 'merged',
      is_enabled: true,
      flag_type: 'json',
      default_value: { a: { b: 1, c: 2 }, d: [1, 2] },
    })
    const { body } = await patch('merged', { default_value: { a: { b: null, e: 3 }, d: [3] } })
    expect(body.default_value).toEqual({ a: { c: 2, e: 3 }, d: [3] })
  })

  it('PATCH flags validates the patched flag as a whole', async () => {
    await put({ key: 'typed', is_enabled: true, flag_type: 'string', default_value: 'x' })
    expect((await patch('typed', { flag_type: 'integer' })).status).toBe(422)
    expect((await patch('typed', { flag_type: 'integer', default_value: 7 })).body.default_value).toBe(7)
  })

  it('PATCH flags refuses a different key and ignores the same one', async () => {
    expect((await patch('plain', { key: 'other' })).status).toBe(422)
    expect((await patch('plain', { key: 'plain' })).status).toBe(200)
  })

  it('PATCH flags archives at the server time and unarchives', async () => {
    await put({ key: 'archived', is_enabled: true })
    const { body } = await patch('archived', { archived_at: '2001-01-01T00:00:00Z' })
    expect(Date.parse(body.archived_at)).toBeGreaterThan(Date.parse('2026-01-01'))
    expect((await server.call({ path: flags })).body.map((flag: { key: string }) => flag.key)).toContain(
      'archived',
    )
    expect((await patch('archived', { archived_at: null })).body.archived_at).toBeNull()
  })

  it.each(['infinity', 'now', '2026-13-01T00:00:00Z', 12])(
    'PATCH flags refuses %s as archived_at',
    async (archived_at) => {
      expect((await patch('plain', { archived_at })).status).toBe(422)
    },
  )

  it('PATCH of an unknown flag is 404, whatever its body', async () => {
    expect((await patch('missing', { is_enabled: true })).status).toBe(404)
    expect((await patch('missing', { is_enabled: 'x' })).status).toBe(404)
    expect((await patch('m%00', {})).status).toBe(404)
  })

  it('100 concurrent PATCHes of distinct fields lose nothing', async () => {
    await put({ key: 'busy', is_enabled: true, flag_type: 'json', default_value: {} })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => patch('busy', { default_value: { [`field${at}`]: at } })),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(Object.keys((await get('busy')).body.default_value)).toHaveLength(100)
    expect(new Set(answers.map(({ body }) => body.revision)).size).toBe(100)
  })
})

describe('concurrent writers of a flag', () => {
  it('If-Match distinguishes writers: a stale revision is 412 and changes nothing', async () => {
    const { body } = await put({ key: 'guarded', is_enabled: false })
    const current = { 'if-match': `"${body.revision}"` }
    expect((await patch('guarded', { is_enabled: true }, current)).status).toBe(200)
    expect((await patch('guarded', { description: 'late' }, current)).status).toBe(412)
    expect((await put({ key: 'guarded', is_enabled: false }, current)).status).toBe(412)
    expect((await get('guarded')).body).toMatchObject({ is_enabled: true, description: null })
  })

  it.each([
    ['*', 200],
    ['"1", "999999"', 412],
    ['W/"1"', 412],
    ['nonsense', 412],
  ])('If-Match: %s responds with %i', async (ifMatch, status) => {
    expect((await patch('guarded', {}, { 'if-match': ifMatch })).status).toBe(status)
  })

  it('If-Match for a key that does not exist is 412 where it would create the flag', async () => {
    expect((await put({ key: 'nowhere', is_enabled: true }, { 'if-match': '*' })).status).toBe(412)
    expect((await get('nowhere')).status).toBe(404)
  })

  it.each([
    ['PATCH', '', {}],
    ['DELETE', '', undefined],
    ['POST', '/archive', undefined],
    ['POST', '/unarchive', undefined],
    ['POST', '/restore', { revision: 1 }],
  ])('If-Match on a key that does not exist is 404 for %s flags/{key}%s', async (method, suffix, body) => {
    const headers = { 'if-match': '"1"' }
    const path = `${flags}/nowhere${suffix}`
    const answer = await server.call({ method, path, headers, ...(body && { body }) })
    expect(answer).toMatchObject({ status: 404, body: { error: 'No such flag.' } })
  })

  it('If-None-Match: * creates a flag and replaces none', async () => {
    const onlyNew = { 'if-none-match': '*' }
    expect((await put({ key: 'created-once', is_enabled: true }, onlyNew)).status).toBe(200)
    const again = await put({ key: 'created-once', is_enabled: false }, onlyNew)
    expect(again.status).toBe(412)
    expect(again.body.error).toContain('A flag with the key "created-once" exists already')
    await server.call({ method: 'POST', path: `${flags}/created-once/archive` })
    expect((await put({ key: 'created-once', is_enabled: false }, onlyNew)).status).toBe(412)
    expect((await get('created-once')).body).toMatchObject({ is_enabled: true })
  })

  it('If-None-Match: * lets one of twenty creations at once through', async () => {
    const creations = Array.from({ length: 20 }, (_, at) =>
      put({ key: 'raced', is_enabled: true, description: String(at) }, { 'if-none-match': '*' }),
    )
    const statuses = (await Promise.all(creations)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(19)
  })

  it.each([
    ['"0"', 200],
    ['nonsense', 200],
    ['"0", *', 412],
    ['W/"*"', 200],
  ])('If-None-Match: %s on an existing key answers %i', async (ifNoneMatch, status) => {
    await put({ key: 'compared', is_enabled: true })
    expect((await put({ key: 'compared', is_enabled: true }, { 'if-none-match': ifNoneMatch })).status).toBe(
      status,
    )
  })
})

describe('DELETE flags', () => {
  it('DELETE flags responds with 204 and removes the flag; a second one is 404', async () => {
    await put({ key: 'deleted', is_enabled: true })
    const remove = () => server.call({ method: 'DELETE', path: `${flags}/deleted` })
    const { body, status } = await remove()
    expect([status, body]).toEqual([204, ''])
    expect((await get('deleted')).status).toBe(404)
    expect((await remove()).status).toBe(404)
  })
})

describe('request bodies', () => {
  const send = (body: string | Uint8Array<ArrayBuffer>, type?: string) =>
    server.call({
      method: 'POST',
      path: flags,
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    })

  it.each([
    ['malformed JSON', '{"key":', 'application/json', 400],
    ['bytes that are no UTF-8', new Uint8Array([123, 34, 255, 34, 125]), 'application/json', 400],
    ['another content type', '{"key":"x","is_enabled":true}', 'text/plain', 415],
    ['a form', 'key=x', 'application/x-www-form-urlencoded', 415],
    ['no body', '', 'application/json', 422],
    ['no body in another content type', '', 'text/plain', 422],
    ['no body in a content type that cannot be read', '', 'garbage', 422],
    ['a body in a content type that cannot be read', '{}', 'garbage', 415],
    [
      'more than 1 MiB',
      `{"key":"x","is_enabled":true,"description":"${'x'.repeat(1024 * 1024)}"}`,
      'application/json',
      413,
    ],
    [
      '20,000 levels',
      `{"key":"x","is_enabled":true,"default_value":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      'application/json',
      422,
    ],
    [
      'a number beyond the finite',
      '{"key":"x","is_enabled":true,"flag_type":"json","default_value":1e999}',
      'application/json',
      422,
    ],
  ] as [string, string | Uint8Array<ArrayBuffer>, string, number][])(
    'a body %s responds with %i',
    async (_name, body, type, status) => {
      const answer = await send(body, type)
      expect(answer.status).toBe(status)
      expect(answer.body.error).toEqual(expect.any(String))
    },
  )

  it('undeclared bodies are ignored, also empty ones of any content type', async () => {
    await put({ key: 'bodied', is_enabled: true })
    const answer = await server.call({
      method: 'DELETE',
      path: `${flags}/bodied`,
      body: '',
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.status).toBe(204)
  })
})

describe('unknown routes', () => {
  it.each([
    ['an unknown route', 'GET', '/api/nothing', 404],
    ['an environment id that is no UUID', 'GET', '/api/environments/1/flags', 404],
    ['an unknown environment', 'GET', '/api/environments/00000000-0000-4000-8000-000000000000/flags', 404],
    ['an unknown flag', 'GET', '<flags>/missing', 404],
    ['a key that no flag can have', 'GET', '<flags>/a%20b', 404],
  ])('%s is 404', async (_name, method, path, status) => {
    const answer = await server.call({ method, path: path.replace('<flags>', flags) })
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ error: expect.any(String) })
  })

  it.each(['TRACE', 'PROPFIND'])('routes with the method %s are 405 as well', async (method) => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(`${server.url}/health`, { method }, (response) => resolve(response.statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(405)
  })

  it('invalid HTTP gets an error body like any other', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString()
    })
    socket.write('nonsense\r\n\r\n')
    await eventually(() => text.endsWith('}'))
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({ error: expect.any(String) })
    socket.destroy()
  })

  it('routes with the wrong method are 405 and name the allowed ones', async () => {
    const answer = await server.call({ method: 'PUT', path: flags, body: {} })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
  })
})
