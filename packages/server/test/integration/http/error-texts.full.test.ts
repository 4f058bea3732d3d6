import { type Endpoint, endpoints } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller, Column } from '../../authorization/caller.ts'
import { createCallers } from '../../authorization/callers.ts'
import { ENDPOINT_NAMES, type EndpointName, paramsOf } from '../../authorization/observe.ts'
import type { Plan } from '../../authorization/plans/plan.ts'
import { PLANNERS } from '../../authorization/plans/plans.ts'
import { createWorld, type World } from '../../authorization/world.ts'
import type { Answer } from '../../harness/start-test-server.ts'

let world: World
let callers: Caller[]
beforeAll(async () => {
  world = await createWorld()
  callers = await createCallers(world)
})
afterAll(() => world?.server.close())

/** The words of validators and frameworks that no message should contain. */
const VALIDATOR_LANGUAGE =
  /must match|must NOT|must be (?:string|integer|object|array|boolean|equal|a? ?valid)|should|does not fit|schema|instancePath|FST_|\\S|\^\[|undefined|\[object|NaN|null,null/

const callerOf = (column: Column): Caller => {
  const caller = callers.find((candidate) => candidate.column === column)
  if (!caller) throw new Error(`no caller for ${column}`)
  return caller
}

/** A body that is sent as it is, or none. */
interface Sent {
  readonly params?: Plan['params']
  /** With its question mark. */
  readonly search?: string
  readonly body?: unknown
}

async function send(
  name: EndpointName,
  caller: Caller,
  { body, params = {}, search = '' }: Sent,
): Promise<Answer> {
  const endpoint: Endpoint = endpoints[name]
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, param: string) => String(params[param]))
  return world.server.call({
    method: endpoint.method,
    path: path + search,
    as: 'anonymous',
    headers: { ...caller.headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

const paramsIn = ({ params = {} }: Plan) => params

const planOf = (name: EndpointName, caller: Caller): Promise<Plan> =>
  PLANNERS[name](world, world.home, caller)

/** One sentence or more that say what was wrong, without the words of a validator. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/

function expectSentence({ body, status }: Answer, about: string): void {
  expect(status, about).toBeGreaterThanOrEqual(400)
  expect(status, about).toBeLessThan(500)
  const text = textOf(body)
  expect(text, about).toMatch(/^[A-Z/].*[.!?]$/s)
  expect(withoutFieldName(text), about).not.toMatch(VALIDATOR_LANGUAGE)
  expect(text, about).not.toBe('The input is not valid.')
  for (const { message, path } of body.details ?? []) {
    expect(withoutFieldName(message), about).not.toMatch(VALIDATOR_LANGUAGE)
    // The text names the field by the same pointer.
    expect(text, about).toContain(path === '' ? message : `${path} ${message}`.replace(/[.]$/, ''))
  }
}

/** Returns the text of an error. The manifest's protocol has it in an object. */
const textOf = ({ error }: Answer['body']): string => error?.message ?? error

/** A field of flags has a word of validators in its name. */
const withoutFieldName = (text: string) => text.replaceAll('value_schema', '')

/** Some of the values are right, and switch on what later requests would have to respect. */
async function resetSettings(): Promise<void> {
  const { environment_id, project_id } = world.home
  const path = `/api/projects/${project_id}/environments/${environment_id}`
  const settings = { require_comment: false, keys_may_manage: true }
  await world.server.call({ method: 'PATCH', path, body: settings })
  await world.server.call({ path: `${path}/require-approval`, body: { require_approval: false } })
  await world.server.call({ method: 'PATCH', path: '/api/workspace', body: { keys_may_manage: true } })
}

const WRONG_BODIES = [null, [], 'text', '"text"', 7, true, '{"a":', '{"a":"\\u0000"}']
/** Bodies that are right where every field is optional. */
const BARE_BODIES = [{}, { a: null }]
const WRONG_VALUES = [
  null,
  {},
  [],
  [null],
  '',
  ' ',
  'x y!',
  'x'.repeat(2_100),
  -1,
  1.5,
  1e12,
  true,
  [{}],
  [7],
  { a: null },
  ['x', 'x'],
]
const isObject = (schema: unknown): schema is { properties: object; type: string } =>
  Object(schema).type === 'object' && Object(schema).properties !== undefined

const withBody = ENDPOINT_NAMES.filter((name) => (endpoints[name] as Endpoint).body)
const withQuery = ENDPOINT_NAMES.filter(
  (name) => (endpoints[name] as Endpoint).query && !['openStream', 'openEvents'].includes(name),
)
// OFREP names the flag itself, which may be any text.
const withParams = ENDPOINT_NAMES.filter((name) => paramsOf(name).length > 0 && name !== 'evaluateFlag')
const ofPeople = ENDPOINT_NAMES.filter((name) => {
  const { access, produces }: Endpoint = endpoints[name]
  return !['public', 'setup_token', 'metrics_token'].includes(access) && produces !== 'text/event-stream'
})

describe('an error says in a sentence what is wrong', () => {
  it.each(withBody)('%s with a body of another kind', async (name) => {
    const plan = await planOf(name, callerOf('owner'))
    const { batchMax }: Endpoint = endpoints[name]
    for (const body of WRONG_BODIES) {
      // An empty batch is one.
      if (batchMax !== undefined && Array.isArray(body)) continue
      const answer = await send(name, callerOf('owner'), { params: paramsIn(plan), body })
      expectSentence(answer, `${name} ${JSON.stringify(body)}`)
    }
    for (const body of BARE_BODIES) {
      const answer = await send(name, callerOf('owner'), { params: paramsIn(plan), body })
      if (answer.status >= 400) expectSentence(answer, `${name} ${JSON.stringify(body)}`)
    }
  })

  it.each(withBody)('%s with a field of another kind', async (name) => {
    const { body: schema }: Endpoint = endpoints[name]
    const fields = isObject(schema) ? Object.keys(schema.properties) : []
    const plan = await planOf(name, callerOf('owner'))
    for (const [at, field] of fields.entries()) {
      // Half of the values, by turns: another field of another endpoint gets the others.
      for (const value of WRONG_VALUES.filter((_, nth) => (nth + at + name.length) % 2 === 0)) {
        const body = { ...Object(plan.body), [field]: value }
        const answer = await send(name, callerOf('owner'), { params: paramsIn(plan), body })
        if (answer.status >= 400) expectSentence(answer, `${name} ${field} ${JSON.stringify(value)}`)
      }
    }
    await resetSettings()
  })

  it.each(withQuery)('%s with a query of another kind', async (name) => {
    const { query }: Endpoint = endpoints[name]
    const plan = await planOf(name, callerOf('owner'))
    for (const field of Object.keys(query?.properties ?? {})) {
      for (const value of ['', 'x', '1e3', '%00', 'a'.repeat(3_000), '-1', '9'.repeat(20)]) {
        const answer = await send(name, callerOf('owner'), {
          params: paramsIn(plan),
          body: plan.body,
          search: `?${field}=${value}`,
        })
        if (answer.status >= 400) expectSentence(answer, `${name} ${field}=${value.slice(0, 20)}`)
      }
    }
  })

  it.each(withParams)('%s names the thing that is not there', async (name) => {
    const endpoint: Endpoint = endpoints[name]
    const plan = await planOf(name, callerOf('owner'))
    // A user need not have been seen.
    for (const param of paramsOf(name).filter((one) => one !== 'user_key')) {
      const answer = await send(name, callerOf('owner'), {
        body: plan.body,
        params: { ...plan.params, [param]: 'no id!' },
      })
      const refusal = { status: answer.status, text: textOf(answer.body) }
      expect(refusal, `${name} ${param}`).toEqual({
        status: 404,
        text: `No such ${nounOf(endpoint, param)}.`,
      })
    }
  })

  it.each(ofPeople)('%s says to whom it is refused, and who may', async (name) => {
    for (const column of ['viewer', 'outsider', 'key env', 'key prj', 'client', 'reader', 'ed-ro'] as const) {
      const caller = callerOf(column)
      const answer = await sendPlanned(name, caller)
      if (answer.status !== 403) continue
      expectSentence(answer, `${name} ${column}`)
      // People know environments and projects by their names.
      expect(textOf(answer.body), `${name} ${column}`).not.toMatch(UUID)
      const { access }: Endpoint = endpoints[name]
      expect(textOf(answer.body), `${name} ${column}`).toMatch(
        ['ack', 'evaluate'].includes(access) ? /SDK key/ : REFUSED[column],
      )
    }
  })
})

async function sendPlanned(name: EndpointName, caller: Caller): Promise<Answer> {
  const plan = await planOf(name, caller)
  return send(name, caller, { params: paramsIn(plan), body: plan.body })
}

const REFUSED = {
  viewer: /role is viewer|workspace admin|SDK key|person/,
  outsider: /not a member of this project|workspace admin/,
  'key env': /This key belongs to the environment [\w-]+|SDK keys may not|Sign in/,
  'key prj': /This key belongs to the environment [\w-]+|SDK keys may not|Sign in/,
  client: /A client key may only read flags and send reports in the environment [\w-]+\./,
  reader: /A reader key may only read flags and send reports in the environment [\w-]+\./,
  'ed-ro': /read_only|role is editor|workspace admin/,
}

function nounOf({ addresses }: Endpoint, param: string): string {
  if (param === 'project_id') return 'project'
  if (param === 'env_id') return 'environment'
  if (param === 'user_id') return 'member'
  if (param === 'flag_key') return 'flag'
  if (param === 'repo') return 'repository'
  if (param === 'delivery_id') return 'delivery'
  if (param === 'session_id') return 'session'
  if (param === 'token_id') return 'personal access token'
  if (addresses === 'webhook_delivery') return 'webhook'
  if (addresses === 'project_flag') return 'flag'
  if (addresses === 'user_session' || addresses === 'user_token') return 'user'
  if (addresses === 'service_account_token') return 'service account'
  if (addresses === 'sdk_key') return 'SDK key'
  if (addresses === 'access_token') return 'personal access token'
  return String(addresses).replaceAll('_', ' ')
}

describe('a size is said with the limit', () => {
  const flags = () => `/api/environments/${world.home.environment_id}/flags`
  const post = (path: string, body: string, as: { bearer: string } | 'admin' | 'anonymous' = 'admin') =>
    world.server.call({ method: 'POST', path, body, as, headers: { 'content-type': 'application/json' } })

  it('of a body', async () => {
    const { body, status } = await post(flags(), `"${'x'.repeat(1.35 * 1024 * 1024)}"`)
    expect({ status, body }).toEqual({
      status: 413,
      body: { error: 'The body has 1.4 MiB; at most 1 MiB are accepted.' },
    })
  })

  it('of a body before a login', async () => {
    const { body, status } = await post('/api/auth/login', `"${'x'.repeat(20_000)}"`, 'anonymous')
    expect({ status, body }).toEqual({
      status: 413,
      body: { error: 'The body has 20 KiB; at most 16 KiB are accepted.' },
    })
  })

  it('of a batch', async () => {
    const path = `/api/environments/${world.home.environment_id}/impressions`
    const items = Array.from({ length: 501 }, () => ({ flag_key: 'f', value: 'on' }))
    const { body, status } = await post(path, JSON.stringify(items))
    expect({ status, body }).toEqual({
      status: 413,
      body: { error: 'The batch has 501 items; at most 500 are accepted at once.' },
    })
  })

  it('of a text', async () => {
    const { body } = await post(flags(), JSON.stringify({ key: 'k'.repeat(120), is_enabled: true }))
    expect(body.error).toBe('/key may have at most 100 characters and has 120.')
  })
})
