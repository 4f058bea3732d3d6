import type { Attributes } from '@burgee/evaluation'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../../../../sdk/src/index.ts'
import { createRandom, type Random } from '../../fuzz/random.ts'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

/** `npm run full -- invariant-paths` makes 500 harmful changes and 500 harmless ones. */
const CASES = process.env.BURGEE_FULL ? 500 : 24
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 3)
const TIMEOUT_MS = 3_600_000

const WHEN = [{ attribute: 'plan', operator: 'not_equals', values: ['enterprise'] }]
const SAFE = [{ attribute: 'plan', operator: 'equals', values: ['enterprise'] }]
const OVERRIDE = { headers: { 'x-override-invariants': 'A test of the override' } }

let server: TestServer
let client: ReturnType<typeof createClient>
let environment: string
let editor: { cookie: string }

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'error' } })
  environment = server.environments.production
  editor = { cookie: (await addUser(server, { email: 'pat@example.com', role: 'admin' })).cookie }
  await reset()
  const body = { key: 'gate-needs-enterprise', flag: 'gate', when: WHEN, never: [true] }
  const made = await server.call({
    path: `/api/projects/${server.project.id}/invariants`,
    body: { ...body, environments: ['production'] },
  })
  expect(made.status).toBe(200)
  client = createClient({ url: server.url, sdkKey: server.sdkKey, impressions: 'off' })
  await client.connect()
})
afterAll(async () => {
  await client.close()
  await server.close()
})

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}
const call = (method: string, path: string, body?: object, more: object = {}): Promise<Answer> =>
  server.call({ method, path: `/api/environments/${environment}/${path}`, ...(body && { body }), ...more })

const GATE = { key: 'gate', is_enabled: true, rollout_percentage: 0, prerequisites: [], rules: [] }

/** Makes the flags as each case finds them: nobody outside of enterprises gets the gate. */
async function reset(): Promise<void> {
  const segments = [{ key: 'big', name: 'Big', rules: SAFE }]
  const flags = [
    { key: 'base', is_enabled: false },
    { ...GATE, rules: [{ segment_key: 'big' }] },
  ]
  const made = await call('POST', 'apply', { segments, flags })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
}

type Rules = readonly object[]

/** Returns rules that someone outside of enterprises meets, or that no one there does. */
function randomRules(random: Random, isHarmful: boolean): Rules {
  const also = { attribute: 'country', operator: 'equals', values: [random.pick(['de', 'fr', 'at'])] }
  const within = { ...SAFE[0], ...(random.chance(0.5) && { conditions: [also] }) }
  if (!isHarmful) return random.chance(0.3) ? [within, within] : [within]
  const text = random.pick(['e', 'enter', 'p', 'prise', 'x', '1'])
  const harmful = random.pick([
    { attribute: 'plan', operator: random.pick(['contains', 'starts_with', 'ends_with']), values: [text] },
    {
      attribute: 'plan',
      operator: 'equals',
      values: ['enterprise', random.pick(['pro', 'team', 'Enterprise'])],
    },
    { attribute: 'plan', operator: 'not_equals', values: [random.pick(['free', 'enterprise'])] },
    { attribute: 'seats', operator: 'greater_than', values: [String(random.integer(1, 1_000))] },
    also,
  ])
  const narrowed = random.chance(0.3) ? { ...harmful, conditions: [also] } : harmful
  return random.chance(0.5) ? [within, narrowed] : [narrowed, within]
}

interface Path {
  readonly name: string
  /** Makes the change; a refusal is a 422, or a text of it. */
  readonly write: (rules: Rules, isHarmful: boolean) => Promise<Answer>
}

const gateWith = (rules: Rules) => ({ ...GATE, rules })

const PATHS: readonly Path[] = [
  { name: 'patch', write: (rules) => call('PATCH', 'flags/gate', { rules }) },
  { name: 'replace', write: (rules) => call('POST', 'flags', gateWith(rules)) },
  { name: 'apply', write: (rules) => call('POST', 'apply', { flags: [gateWith(rules)] }) },
  { name: 'segment', write: (rules) => call('PATCH', 'segments/big', { rules }) },
  {
    name: 'create',
    async write(rules) {
      expect((await call('DELETE', 'flags/gate')).status).toBeLessThan(300)
      return call('POST', 'flags', gateWith(rules))
    },
  },
  {
    name: 'promote',
    async write(rules) {
      const staging = `/api/environments/${server.environments.staging}`
      const made = await server.call({ path: `${staging}/flags`, body: gateWith(rules) })
      expect(made.status).toBe(200)
      const path = `${staging}/flags/gate/promote`
      return server.call({ path, body: { target_env_id: environment } })
    },
  },
  {
    name: 'bulk',
    async write(rules) {
      const prerequisites = [{ flag_key: 'base' }]
      const put = await call('PATCH', 'flags/gate', { rules, prerequisites })
      expect(put.status, JSON.stringify(put.body)).toBe(200)
      const { body, status } = await call('POST', 'flags/bulk', { action: 'enable', keys: ['base'] })
      expect(status).toBe(200)
      const [result] = body.results as Answer['body'][]
      return { status: Number(result?.status), body: result ?? {} }
    },
  },
  {
    name: 'undo',
    async write(rules, isHarmful) {
      const broken = await call('PATCH', 'flags/gate', { rules }, isHarmful ? OVERRIDE : {})
      expect(broken.status, JSON.stringify(broken.body)).toBe(200)
      expect((await call('PATCH', 'flags/gate', { rules: [] })).status).toBe(200)
      const audit = await call('GET', 'audit?flag_key=gate&limit=1')
      const [entry] = audit.body as unknown as { id: number }[]
      return call('POST', 'revert', { audit_ids: [entry?.id] })
    },
  },
  {
    name: 'approval',
    async write(rules) {
      const settings = `/api/projects/${server.project.id}/environments/${environment}/require-approval`
      await server.call({ path: settings, body: { require_approval: true } })
      const queued = await call('PATCH', 'flags/gate', { rules }, { as: editor })
      expect(queued.status).toBe(202)
      const answer = await call('POST', `change-requests/${queued.body.id}/approve`)
      await server.call({ path: settings, body: { require_approval: false } })
      if (answer.status === 422) await call('POST', `change-requests/${queued.body.id}/cancel`)
      return answer
    },
  },
  {
    name: 'schedule',
    async write(rules) {
      const scheduled_at = new Date(Date.now() + 300).toISOString()
      const made = await call('POST', 'flags/gate/scheduled-changes', { scheduled_at, patch: { rules } })
      expect(made.status, JSON.stringify(made.body)).toBe(200)
      const done = await eventually(async () => {
        const { body } = await call('GET', 'flags/gate/scheduled-changes')
        const all = body as unknown as { id: number; executed_at: string | null; error: string | null }[]
        const own = all.find(({ id }) => id === made.body.id)
        return own?.executed_at ? own : null
      })
      return { status: done.error === null ? 200 : 422, body: { error: done.error } }
    },
  },
  {
    name: 'import',
    async write(_, isHarmful) {
      const content = JSON.stringify({ flags: { gate: flagdFlag(isHarmful) } })
      const path = `/api/projects/${server.project.id}/import`
      const files = [{ name: 'flags.json', content }]
      const read = await server.call({ path, body: { system: 'flagd', files, dry_run: true } })
      expect(read.status, JSON.stringify(read.body)).toBe(200)
      const [{ flags, segments }] = read.body.environments
      return call('POST', 'apply', { flags, segments })
    },
  },
]

/** Returns a flag of flagd that enterprises get, and others too where it is harmful. */
function flagdFlag(isHarmful: boolean): object {
  const safe = { '==': [{ var: 'plan' }, 'enterprise'] }
  const targeting = { if: [isHarmful ? { or: [safe, { in: ['e', { var: 'plan' }] }] } : safe, 'on', 'off'] }
  return { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off', targeting }
}

interface Example {
  readonly user_key: string | null
  readonly attributes: Attributes
  readonly value: unknown
}

const given = ({ attributes, user_key }: Example) => client.evaluate('gate', user_key, attributes).value

/** The rule that the harmful file of flagd becomes. */
const IMPORTED = [{ attribute: 'plan', operator: 'contains', values: ['e'] }]

const CHECK = () => `/api/projects/${server.project.id}/invariants/check`

/** Returns a user of the refusal; where a job keeps only its text, the one of a check of the same change. */
async function exampleOf(answer: Answer, rules: Rules): Promise<Example> {
  const [violation] = (answer.body.violations ?? []) as { counter_example: Example }[]
  if (violation) return violation.counter_example
  expect(answer.body.error).toContain('violates the invariant')
  const changes = [{ flag_key: 'gate', operation: 'patch', patch: { rules } }]
  const { body } = await server.call({ path: CHECK(), body: { environment_id: environment, changes } })
  return body[0].counter_example
}

const counts = (done: ReadonlyMap<string, number>) => [...done].map(([name, n]) => `${name} ${n}`).join(', ')

it(
  'harmful changes are blocked on every path, with a user whom an SDK gives what is forbidden',
  async () => {
    const random = createRandom(SEED)
    const done = new Map<string, number>()
    for (let nth = 0; nth < CASES; nth += 1) {
      const path = PATHS[nth % PATHS.length] as Path
      const rules = randomRules(random, true)
      await reset()
      const answer = await path.write(rules, true)
      const text = `${path.name} ${JSON.stringify(rules)} ${JSON.stringify(answer.body)}`
      expect(answer.status, text).toBe(422)
      const example = await exampleOf(answer, rules)
      expect(example.attributes.plan, text).not.toBe('enterprise')
      await reset()
      await eventually(() => given(example) === false)
      const flag = gateWith(path.name === 'import' ? IMPORTED : rules)
      const forced = await call('POST', 'apply', { flags: [flag] }, OVERRIDE)
      expect(forced.status, text).toBe(200)
      await eventually(() => given(example) === true)
      done.set(path.name, (done.get(path.name) ?? 0) + 1)
    }
    process.stdout.write(`${CASES} harmful changes, all blocked and all users confirmed: ${counts(done)}\n`)
  },
  TIMEOUT_MS,
)

it(
  'harmless changes are made on every path',
  async () => {
    const random = createRandom(SEED + 1)
    const done = new Map<string, number>()
    for (let nth = 0; nth < CASES; nth += 1) {
      const path = PATHS[nth % PATHS.length] as Path
      const rules = randomRules(random, false)
      await reset()
      const answer = await path.write(rules, false)
      expect(answer.status, `${path.name} ${JSON.stringify(rules)} ${JSON.stringify(answer.body)}`).toBe(200)
      done.set(path.name, (done.get(path.name) ?? 0) + 1)
    }
    process.stdout.write(`${CASES} harmless changes, none blocked: ${counts(done)}\n`)
  },
  TIMEOUT_MS,
)
