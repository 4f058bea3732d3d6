import { createHash } from 'node:crypto'
import { canonicalJson } from '@burgee/contract'
import { createFlagSet } from '@burgee/evaluation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conformanceFlags } from '../../../../../e2e/harness/conformance-environment.ts'
import { eventually } from '../../harness/eventually.ts'
import { readStream } from '../../harness/read-stream.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { createOfficialCheck } from '../../ofrep/official-document.ts'
import { createKey } from '../../reports/client-key.ts'

const BULK = '/ofrep/v1/evaluate/flags'
const EMAIL = 'ballmer@macrosoft.com'

interface Reply {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
  readonly headers: Headers
}

describe('OFREP', () => {
  const checkOfficial = createOfficialCheck()
  let server: TestServer
  let other: TestServer
  let environment: string

  beforeAll(async () => {
    // At the level debug every response is logged, which only the ordinary path does.
    server = await startTestServer({ env: { LOG_LEVEL: 'error' } })
    other = await startTestServer({ database: server.database, env: { LOG_LEVEL: 'error' } })
    environment = server.environments.production
    for (const flag of conformanceFlags()) await putFlag(flag)
    // The fast path needs flags in memory.
    await send(BULK, '{}')
  })
  afterAll(async () => {
    await other.close()
    await server.close()
  })

  async function putFlag(flag: object): Promise<void> {
    const answer = await server.call({ path: `/api/environments/${environment}/flags`, body: flag })
    expect(answer.status).toBe(200)
  }

  async function send(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    at = server,
  ): Promise<Reply> {
    const response = await fetch(at.url + path, {
      method: 'POST',
      headers: { 'x-api-key': server.sdkKey, 'content-type': 'application/json', ...headers },
      body,
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const reply = {
      status: response.status,
      text,
      body: isJson ? JSON.parse(text) : text,
      headers: response.headers,
    }
    if (reply.status !== 304) checkOfficial(path, reply.status, reply.body)
    return reply
  }

  /** Sends a request on the fast path and on the ordinary one, whose responses must be equal. */
  async function ask(path: string, request: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const body = typeof request === 'string' ? request : JSON.stringify(request)
    const short = await send(path, body, headers)
    const ordinary = await send(`${path}?flagConfigLastModified=1`, body, headers)
    expect({ ...ordinary, headers: comparable(ordinary) }).toEqual({ ...short, headers: comparable(short) })
    return short
  }

  const one = (key: string, context: object = {}) => ask(`${BULK}/${key}`, { context })

  it.each([{}, { email: EMAIL, age: 65, customer: false }, { targetingKey: 'user-1' }])(
    'every flag of the conformance environment has the result of the local evaluation: %j',
    async (context) => {
      const snapshot = await server.call({ path: '/flags/snapshot', as: { bearer: server.sdkKey } })
      const local = createFlagSet(snapshot.body)
      const bulk = await ask(BULK, { context })
      const keys = bulk.body.flags.map(({ key }: { key: string }) => key)

      expect(keys).toEqual([...local.keys()].sort())
      for (const key of keys) {
        const { reason, value, variant } = local.resolve(key, null, context)
        const single = await one(key, context)
        expect(single.body).toMatchObject({ key, reason, variant, ...(value !== null && { value }) })
        expect('value' in single.body).toBe(value !== null)
        expect(bulk.text).toContain(single.text)
      }
    },
  )

  it('an evaluation beyond the bound of steps is an error that names it, in bulk and alone, and others go on', async () => {
    const values = Array.from({ length: 900 }, (_, at) => `aab${at}`)
    const rules = [{ attribute: 'it', operator: 'not_contains', values }]
    await putFlag({ key: 'costly', is_enabled: true, rollout_percentage: 0, rules })
    const small = await one('costly', { it: ['x', 'y'] })
    expect(small.body).toMatchObject({ key: 'costly', value: true, reason: 'TARGETING_MATCH' })
    const context = { it: 'ab'.repeat(100_000) }
    const large = await one('costly', context)
    expect(large.status).toBe(400)
    expect(large.body).toMatchObject({ key: 'costly', errorCode: 'PARSE_ERROR' })
    expect(large.body.errorDetails).toContain('takes more than 20000000 steps')
    const bulk = await ask(BULK, { context })
    expect(bulk.status).toBe(200)
    const found = bulk.body.flags.find(({ key }: { key: string }) => key === 'costly')
    expect(found).toEqual(large.body)
    expect(bulk.body.flags.length).toBeGreaterThan(1)
  })

  it('large evaluations that arrive together have the results that each has alone', async () => {
    const values = Array.from({ length: 300 }, (_, at) => `aab${at}`)
    const rules = [{ attribute: 'it', operator: 'contains', values }]
    await putFlag({ key: 'costly', is_enabled: true, rollout_percentage: 0, rules })
    const bodies = Array.from({ length: 12 }, (_, at) => {
      const it = ['ab'.repeat(5_000), at % 2 === 0 ? 'aab7' : 'none']
      return JSON.stringify({ context: { targetingKey: `user-${at}`, it } })
    })
    const replies = await Promise.all(bodies.map((body) => send(`${BULK}/costly`, body, {})))
    expect(replies.map(({ body }) => body.value)).toEqual(bodies.map((_, at) => at % 2 === 0))
    const all = await Promise.all(bodies.map((body) => send(BULK, body, {})))
    const found = all.map(({ body }) => body.flags.find(({ key }: { key: string }) => key === 'costly'))
    expect(found.map(({ value }) => value)).toEqual(bodies.map((_, at) => at % 2 === 0))
  })

  it('numbers of a flag with fractions or a number schema have a fraction, and those of integer flags none', async () => {
    expect((await one('float-zero-flag')).text).toContain('"value":0.0}')
    expect((await one('float-flag')).text).toContain('"value":0.5}')
    expect((await one('integer-zero-flag')).text).toContain('"value":0}')
    await putFlag({ key: 'whole', flag_type: 'json', is_enabled: true, default_value: 2 })
    expect((await one('whole')).text).toContain('"value":2}')
    await putFlag({
      key: 'whole',
      flag_type: 'json',
      is_enabled: true,
      default_value: 2,
      value_schema: { type: 'number' },
    })
    expect((await one('whole')).text).toContain('"value":2.0}')
    await putFlag({
      key: 'whole',
      flag_type: 'json',
      is_enabled: true,
      default_value: 2,
      disabled_value: 0.5,
    })
    expect((await one('whole')).text).toContain('"value":2.0}')
  })

  it('metadata of a flag is in its result, and a failed prerequisite is DISABLED', async () => {
    expect((await one('metadata-flag')).body.metadata).toEqual({
      string: '1.0.2',
      integer: 2,
      boolean: true,
      float: 0.1,
    })
    await putFlag({
      key: 'dependent',
      is_enabled: true,
      prerequisites: [{ flag_key: 'boolean-disabled-flag' }],
    })
    expect((await one('dependent')).body).toMatchObject({ reason: 'DISABLED', value: false })
  })

  it('the context is mapped to a user key and attributes, nested ones also under dotted names', async () => {
    await putFlag({
      key: 'nested',
      flag_type: 'string',
      is_enabled: true,
      default_value: 'no',
      rules: [{ attribute: 'user.plan.name.short', operator: 'equals', values: ['pro'], variant: 'yes' }],
    })
    const value = async (context: object) => (await one('nested', context)).body.value
    expect(await value({ user: { plan: { name: { short: 'pro' } } } })).toBe('yes')
    expect(await value({ 'user.plan.name.short': 'free', user: { plan: { name: { short: 'pro' } } } })).toBe(
      'no',
    )
    expect(await value({ user: { plan: { name: { short: { er: 'pro' } } } } })).toBe('no')

    await putFlag({ key: 'half', is_enabled: true, rollout_percentage: 50 })
    const numeric = await one('half', { targetingKey: 42 })
    expect(numeric.body).toEqual((await one('half', { targetingKey: '42' })).body)
    expect((await ask(`${BULK}/half`, { context: { targetingKey: null } })).body).toMatchObject({
      value: false,
    })
    expect((await ask(`${BULK}/half`, { context: null })).status).toBe(200)
    expect((await ask(`${BULK}/half`, {})).status).toBe(200)
  })

  it.each([
    ['no JSON', '{', 'PARSE_ERROR'],
    ['an empty body', '', 'PARSE_ERROR'],
    ['a list', '[]', 'INVALID_CONTEXT'],
    ['null', 'null', 'INVALID_CONTEXT'],
    ['a text as context', '{"context":"x"}', 'INVALID_CONTEXT'],
    ['a list as context', '{"context":[]}', 'INVALID_CONTEXT'],
    ['an object as targetingKey', '{"context":{"targetingKey":{}}}', 'INVALID_CONTEXT'],
    ['true as targetingKey', '{"context":{"targetingKey":true}}', 'INVALID_CONTEXT'],
    ['an infinite number', '{"context":{"a":1e999}}', 'INVALID_CONTEXT'],
    ['NUL', '{"context":{"a":"\\u0000"}}', 'INVALID_CONTEXT'],
    ['a lone surrogate', '{"context":{"targetingKey":"\\ud800"}}', 'INVALID_CONTEXT'],
    ['deep nesting', `{"context":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`, 'INVALID_CONTEXT'],
  ])('a malformed body is 400 in the form of the document: %s', async (_what, body, errorCode) => {
    for (const path of [BULK, `${BULK}/boolean-flag`]) {
      const reply = await ask(path, body)
      expect(reply.status).toBe(400)
      expect(reply.body).toMatchObject({ errorCode, errorDetails: reply.body.error })
      expect(reply.body.key).toBe(path === BULK ? undefined : 'boolean-flag')
    }
  })

  it.each([
    ['an unknown flag', 'unknown', 'unknown'],
    ['a key that no flag can have', 'a%20b', 'a b'],
    ['a key that is too long', 'k'.repeat(400), 'k'.repeat(300)],
    ['a key with a slash', 'a/b', 'a/b'],
    ['a key that cannot be decoded', '%ff', '%ff'],
  ])('it is 404 with its key: %s', async (_what, path, key) => {
    const reply = await send(`${BULK}/${path}`, '{}')
    expect(reply).toMatchObject({ status: 404, body: { errorCode: 'FLAG_NOT_FOUND', key } })
  })

  it('large bodies are 413, other content types 415, other methods 405, all in the form of the document', async () => {
    const large = JSON.stringify({ context: { a: 'x'.repeat(2 * 1024 * 1024) } })
    expect(await send(BULK, large)).toMatchObject({ status: 413, body: { errorCode: 'GENERAL' } })
    const typed = await send(BULK, '{}', { 'content-type': 'text/plain' })
    expect(typed).toMatchObject({ status: 415, body: { errorCode: 'GENERAL' } })
    const got = await fetch(server.url + BULK)
    expect(got.status).toBe(405)
    expect(await got.json()).toMatchObject({ errorCode: 'GENERAL' })
  })

  it('a context of a megabyte is evaluated, and long dotted names are left out', async () => {
    const inner = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, index]))
    const context = { ['n'.repeat(200_000)]: inner, __proto__x: 1, ['__proto__']: { polluted: true } }
    const body = JSON.stringify({ context }).replace('__proto__x', '__proto__')
    expect((await send(`${BULK}/boolean-flag`, body)).status).toBe(200)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('every kind of key works as a bearer and as X-API-Key; no other credential does', async () => {
    const statuses: Record<string, number> = {}
    const paths = [BULK, `${BULK}/boolean-flag`]
    const callers: [string, Record<string, string>][] = [
      ['anonymous', { 'x-api-key': '' }],
      ['unknown', { 'x-api-key': 'sk_live_unknown' }],
      ['session', { 'x-api-key': '', cookie: server.cookie, 'x-flagservice-request': 'true' }],
    ]
    for (const kind of ['client', 'server'] as const) {
      const { bearer } = await createKey(server, environment, kind)
      callers.push([`${kind} bearer`, { authorization: `Bearer ${bearer}`, 'x-api-key': '' }])
      callers.push([`${kind} X-API-Key`, { 'x-api-key': bearer }])
    }
    for (const [name, headers] of callers) {
      const replies = await Promise.all(paths.map((path) => send(path, '{}', headers)))
      expect(new Set(replies.map(({ status }) => status)).size).toBe(1)
      statuses[name] = replies[0]?.status ?? 0
    }
    expect(statuses).toEqual({
      anonymous: 401,
      unknown: 401,
      session: 401,
      'client bearer': 200,
      'client X-API-Key': 200,
      'server bearer': 200,
      'server X-API-Key': 200,
    })
  })

  it('the ETag names revision and context, and gives 304 until either changes', async () => {
    const context = { targetingKey: 'user-1', b: 1, a: [2] }
    const first = await ask(BULK, { context })
    const { version, flagSetId } = first.body.metadata
    const digest = createHash('sha256').update(canonicalJson(context)).digest().subarray(0, 16)
    const etag = `"${version}-${digest.toString('base64url')}"`
    expect(flagSetId).toBe(environment)
    expect(first.headers.get('etag')).toBe(etag)
    expect(first.headers.get('access-control-expose-headers')).toContain('etag')
    const again = { context: { a: [2], b: 1, targetingKey: 'user-1' } }
    expect((await ask(BULK, again, { 'if-none-match': etag })).status).toBe(304)
    expect((await ask(BULK, { context: {} }, { 'if-none-match': etag })).status).toBe(200)
    const { bearer } = await createKey(server, environment, 'client')
    expect((await ask(BULK, again, { 'x-api-key': bearer, 'if-none-match': etag })).status).toBe(200)

    await putFlag({ key: 'later', is_enabled: true })
    const changed = await ask(BULK, again, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.body.metadata.version).toBeGreaterThan(version)
  })

  it('a flag that is hidden from client keys does not exist for them, also as a prerequisite', async () => {
    await putFlag({ key: 'secret', is_enabled: true, client_visible: false })
    await putFlag({ key: 'open', is_enabled: true, prerequisites: [{ flag_key: 'secret' }] })
    const { bearer } = await createKey(server, environment, 'client')
    const client = { 'x-api-key': bearer }
    const keysFor = async (headers: Record<string, string>) =>
      (await ask(BULK, {}, headers)).body.flags.map(({ key }: { key: string }) => key)
    expect(await keysFor({})).toContain('secret')
    expect(await keysFor(client)).not.toContain('secret')
    expect((await ask(`${BULK}/secret`, {}, client)).status).toBe(404)
    expect((await ask(`${BULK}/open`, {}, client)).body).toMatchObject({ value: true })
    await putFlag({ key: 'secret', is_enabled: true, client_visible: true })
    expect(await keysFor(client)).toContain('secret')
  })

  it('a preflight allows the headers of providers for a day', async () => {
    const preflight = await fetch(server.url + BULK, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example' },
    })
    const { headers, status } = preflight
    expect(status).toBe(204)
    expect(headers.get('access-control-max-age')).toBe('86400')
    for (const name of ['authorization', 'x-api-key', 'content-type', 'if-none-match'])
      expect(headers.get('access-control-allow-headers')).toContain(name)
  })

  it('flagConfigEtag waits for a revision that another instance has committed', async () => {
    await send(BULK, '{}', {}, other)
    for (let value = 1; value <= 10; value += 1) {
      await putFlag({ key: 'counter', flag_type: 'integer', is_enabled: true, default_value: value })
      const { metadata } = (await send(BULK, '{}')).body
      const etag = encodeURIComponent(`"${metadata.version}"`)
      const { flags, metadata: seen } = (await send(`${BULK}?flagConfigEtag=${etag}`, '{}', {}, other)).body
      expect(seen.version).toBeGreaterThanOrEqual(metadata.version)
      expect(flags).toContainEqual(expect.objectContaining({ key: 'counter', value }))
    }
    const never = await send(`${BULK}?flagConfigEtag=999999999`, '{}', {}, other)
    expect(never.status).toBe(200)
  })

  it('the event stream of a ticket announces each change, also to the other instance, and ends with its key', async () => {
    const { bearer } = await createKey(server, environment, 'client')
    const bulk = await send(BULK, '{}', { 'x-api-key': bearer })
    const [{ endpoint, inactivityDelaySec, type }] = bulk.body.eventStreams
    expect({ inactivityDelaySec, type }).toEqual({ inactivityDelaySec: 120, type: 'sse' })
    expect(endpoint.requestUri).toMatch(/^\/ofrep\/v1\/events\?ticket=\d+\.\d+\.[\w-]{43}$/)
    const { version } = bulk.body.metadata
    const known = { 'last-event-id': String(version) }
    const stream = await readStream(server.url + endpoint.requestUri, known)
    const remote = await readStream(other.url + endpoint.requestUri)
    const behind = await readStream(server.url + endpoint.requestUri, {
      'last-event-id': String(version - 1),
    })
    const atOnce = await behind.until(({ id }) => id === String(version))
    expect(atOnce.data).toMatchObject({ type: 'refetchEvaluation', etag: `"${version}"` })
    expect(Number.isInteger(atOnce.data.lastModified)).toBe(true)

    await putFlag({ key: 'announced', is_enabled: true })
    for (const each of [stream, remote, behind]) {
      const { event } = await each.until(({ id }) => Number(id) > version)
      expect(event).toBe('message')
    }
    expect(stream.text().startsWith('retry: 1000\n\n')).toBe(true)
    expect(stream.events.every(({ id }) => Number(id) > version)).toBe(true)

    const keys = await server.call({ path: `/api/projects/${server.project.id}/keys` })
    const id = endpoint.requestUri.match(/ticket=(\d+)/)?.[1]
    expect(keys.body.some((key: { id: number }) => String(key.id) === id)).toBe(true)
    await server.call({ method: 'DELETE', path: `/api/projects/${server.project.id}/keys/${id}` })
    for (const each of [stream, remote, behind]) await eventually(() => each.ended())
    expect((await fetch(server.url + endpoint.requestUri)).status).toBe(401)
  })

  it('forged and missing tickets are 401', async () => {
    const { eventStreams } = (await send(BULK, '{}')).body
    const uri: string = eventStreams[0].endpoint.requestUri
    const [id, expiry, signature = ''] = (uri.split('=')[1] ?? '').split('.')
    const forged = [
      '',
      '?ticket=',
      `?ticket=${id}.${Number(expiry) + 1}.${signature}`,
      `?ticket=${Number(id) + 1}.${expiry}.${signature}`,
      `?ticket=legacy.${expiry}.${signature}`,
      `?ticket=${id}.${expiry}.${'A'.repeat(43)}`,
      `?ticket=${id}.${expiry}`,
      `?ticket=${'x'.repeat(5_000)}`,
    ]
    for (const query of forged) {
      const response = await fetch(`${server.url}/ofrep/v1/events${query}`)
      expect([query, response.status]).toEqual([query, 401])
      expect(await response.json()).toMatchObject({ errorCode: 'GENERAL' })
    }
  })

  it('single evaluations are impressions, evaluations of all flags are not', async () => {
    await putFlag({ key: 'counted', is_enabled: true })
    for (const targetingKey of ['ada', 'ben', 7, null]) {
      await send(`${BULK}/counted`, JSON.stringify({ context: { targetingKey } }))
    }
    await send(`${BULK}/uncounted`, '{}')
    const path = `/api/environments/${environment}/impressions?flag_key=counted`
    const found = await eventually(async () => {
      const { body } = await server.call({ path })
      return body.total >= 4 ? body.items : undefined
    })
    const users = found.map(({ user_id, value }: { user_id: string; value: string }) => [user_id, value])
    expect(users).toHaveLength(4)
    expect(users).toEqual(
      expect.arrayContaining([
        ['ada', 'true'],
        ['ben', 'true'],
        ['7', 'true'],
        [null, 'true'],
      ]),
    )
  })
})

/** Returns the headers without those that differ each time. */
function comparable({ headers }: Reply): object {
  const { connection: _c, date: _d, 'keep-alive': _k, ...others } = Object.fromEntries(headers)
  const { 'x-request-id': id, ...same } = others
  return { ...same, 'x-request-id': typeof id }
}
