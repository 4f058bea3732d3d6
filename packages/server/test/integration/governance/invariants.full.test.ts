import { type Attributes, createFlagSet, deepEqual, type FlagSet } from '@burgee/evaluation'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom, type Random } from '../../fuzz/random.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

/** `npm run full -- invariants` makes 2,000 writes. */
const WRITES = process.env.BURGEE_FULL ? 2_000 : 80
const WRITES_A_DEMAND = 8
const USERS = 400
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 5)
const TIMEOUT_MS = 3_600_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const PLANS = ['free', 'pro', 'team']
const COUNTRIES = ['de', 'fr']
const KEYS = ['base', 'middle', 'top'] as const
type Key = (typeof KEYS)[number]

interface User {
  readonly userKey: string | null
  readonly attributes: Attributes
}

const randomUser = (random: Random): User => ({
  userKey: random.chance(0.05) ? null : `user-${random.integer(0, 100_000)}`,
  attributes: {
    ...(random.chance(0.8) && { plan: random.pick([...PLANS, 'other']) }),
    ...(random.chance(0.8) && { country: random.pick([...COUNTRIES, 'xx']) }),
  },
})

const condition = (random: Random) =>
  random.chance(0.7)
    ? { attribute: 'plan', operator: random.pick(['equals', 'not_equals']), values: [random.pick(PLANS)] }
    : { attribute: 'country', operator: 'equals', values: [random.pick(COUNTRIES)] }

const randomRule = (random: Random) =>
  random.chance(0.3)
    ? { segment_key: 'vip' }
    : { ...condition(random), conditions: random.chance(0.3) ? [condition(random)] : [] }

const randomFields = (random: Random, key: Key) => ({
  is_enabled: random.chance(0.8),
  rollout_percentage: random.pick([0, 0, 30, 100]),
  rules: Array.from({ length: random.integer(0, 2) }, () => randomRule(random)),
  prerequisites:
    key === 'base' || random.chance(0.5) ? [] : [{ flag_key: key === 'top' ? 'middle' : 'base' }],
})

const randomDemand = (random: Random) => {
  const flag = random.pick(KEYS)
  const when = random.chance(0.8) ? [condition(random)] : []
  const demand = random.pick([
    { never: [true] },
    { only: [false] },
    { implies: { value: true, flag: KEYS[(KEYS.indexOf(flag) + 1) % 3] as Key, is: random.chance(0.5) } },
  ])
  return { key: 'demand', environments: ['production'], flag, when, ...demand }
}
type Demand = ReturnType<typeof randomDemand>

/** Returns whether a user of the demand gets what it forbids, by the evaluator of SDKs. */
function violates(flags: FlagSet, demand: Demand, { attributes, userKey }: User): boolean {
  const applies = createFlagSet([
    { key: 'when', is_enabled: true, rollout_percentage: 0, rules: rulesOf(demand) },
  ])
  if (demand.when.length > 0 && applies.evaluate('when', { userKey, attributes }).value !== true) return false
  if (!flags.has(demand.flag)) return false
  const { value } = flags.evaluate(demand.flag, { userKey, attributes })
  if ('never' in demand) return demand.never.some((one) => deepEqual(one, value))
  if ('only' in demand) return !demand.only.some((one) => deepEqual(one, value))
  if (value !== demand.implies.value) return false
  return flags.evaluate(demand.implies.flag, { userKey, attributes }).value !== demand.implies.is
}

const rulesOf = ({ when: [first, ...conditions] }: Demand) => (first ? [{ ...first, conditions }] : [])

/** The ways to write, each as a call in an environment. */
function randomWrite(random: Random) {
  const key = random.pick(KEYS)
  const fields = randomFields(random, key)
  const segment = { rules: [condition(random)], included_keys: random.chance(0.2) ? ['user-7'] : [] }
  return random.pick([
    { method: 'PATCH', path: `flags/${key}`, body: fields },
    { method: 'PATCH', path: `flags/${key}`, body: { is_enabled: random.chance(0.8) } },
    { method: 'POST', path: 'flags', body: { key, ...fields } },
    { method: 'PATCH', path: 'segments/vip', body: segment },
    {
      method: 'POST',
      path: 'apply',
      body: { flags: [{ key, ...fields }], segments: [{ key: 'vip', ...segment }] },
    },
    { method: 'POST', path: 'flags/bulk', body: { action: random.pick(['enable', 'disable']), keys: [key] } },
    { method: 'POST', path: `flags/${key}/${random.pick(['archive', 'unarchive'])}` },
    { method: 'DELETE', path: `flags/${key}` },
  ])
}
type Write = ReturnType<typeof randomWrite>

const call = (environment: string, { body, method, path }: Write) =>
  server.call({ method, path: `/api/environments/${environment}/${path}`, ...(body && { body }) })

async function flagsOf(environment: string): Promise<FlagSet> {
  const { rows } = await server.database.pool.query<{ flag: object }>(
    `select distinct on (flag_key) flag, kind from environment_changes where environment_id = $1 and kind <> 'none'
     order by flag_key, revision desc`,
    [environment],
  )
  return createFlagSet(rows.flatMap(({ flag }) => (flag ? [flag] : [])))
}

/** Gives both environments the same random flags and segment. */
async function reset(random: Random, environments: readonly string[]): Promise<void> {
  const flags = KEYS.map((key) => ({ key, ...randomFields(random, key) }))
  const segments = [{ key: 'vip', name: 'VIP', rules: [condition(random)], included_keys: [] }]
  for (const environment of environments) {
    for (const key of KEYS)
      await call(environment, { method: 'POST', path: `flags/${key}/unarchive` } as Write)
    const answer = await call(environment, {
      method: 'POST',
      path: 'apply',
      body: { flags, segments },
    } as Write)
    expect(answer.status).toBe(200)
  }
}

test('every harmful write is refused with a user whom the evaluator confirms, and no harmless one', {
  timeout: TIMEOUT_MS,
}, async () => {
  const random = createRandom(SEED)
  const { production, staging } = server.environments
  const invariants = `/api/projects/${server.project.id}/invariants`
  const figures = { refused: 0, made: 0, demands: 0, missedByRandomUsers: 0, longestMs: 0 }
  while (figures.refused + figures.made < WRITES) {
    await server.call({ method: 'DELETE', path: `${invariants}/demand` })
    await reset(random, [production, staging])
    const demand = randomDemand(random)
    if ((await server.call({ path: invariants, body: demand })).status !== 200) continue
    figures.demands += 1
    for (let nth = 0; nth < WRITES_A_DEMAND; nth += 1) {
      const write = randomWrite(random)
      // The same write in an environment without the demand shows what it would do.
      const free = await call(staging, write)
      const startedMs = performance.now()
      const bound = await call(production, write)
      figures.longestMs = Math.max(figures.longestMs, Math.round(performance.now() - startedMs))
      const [first] = bound.body?.results ?? []
      const isRefused = bound.status === 422 || first?.status === 422
      const after = await flagsOf(staging)
      const users = Array.from({ length: USERS }, () => randomUser(random))
      const isHarmful = users.some((user) => violates(after, demand, user))
      const context = JSON.stringify({ demand, write, answer: bound.body, seed: SEED })
      if (!isRefused) {
        expect(isHarmful, context).toBe(false)
        expect(bound.status, context).toBe(free.status)
        figures.made += 1
        continue
      }
      figures.refused += 1
      if (!isHarmful) figures.missedByRandomUsers += 1
      // A bulk action says why without the user: a check of what it would leave names one.
      const asked = { ...demand, environments: null }
      const body = { environment_id: staging, invariants: [asked] }
      const [checked] = (await server.call({ path: `${invariants}/check`, body })).body
      const example = bound.body.violations?.[0]?.counter_example ?? checked.counter_example
      const user = { userKey: example?.user_key, attributes: example?.attributes }
      expect(violates(after, demand, user), context).toBe(true)
      break
    }
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  expect(figures.refused).toBeGreaterThan(0)
  expect(figures.made).toBeGreaterThan(0)
})
