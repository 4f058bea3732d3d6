import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChangeWorld, changeSomething, startSession } from '../../access-changes/changes.ts'
import { createRandom, type Model, type Person } from '../../access-changes/model.ts'
import { createWatch } from '../../access-changes/watch-access.ts'
import { insertUser } from '../../harness/insert-user.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
/**
 * The sequences of one to three changes each. `npm run full -- access [seed]` runs all, or as many as
 * BURGEE_SEQUENCES says.
 */
const SEQUENCES = IS_FULL ? Number(process.env.BURGEE_SEQUENCES ?? 2_000) : 40
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? (IS_FULL ? Date.now() % 1_000_000 : 1))
const PEOPLE = 5
const GROUP = 'engineers'

let first: TestServer
let second: TestServer

beforeAll(async () => {
  // Ended credentials are sent again and again, from one address.
  const env = { LOG_LEVEL: 'info', RATE_LIMIT_UNKNOWN_BEARERS: '1000000' }
  first = await startTestServer({ env })
  second = await startTestServer({ database: first.database, env })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

async function insertPeople(): Promise<Person[]> {
  const people: Person[] = []
  for (let count = 0; count < PEOPLE; count += 1) {
    const { email, id } = await insertUser(first, { email: `person-${count}@example.com` })
    const isInGroup = count % 2 === 0
    const now = new Date().toISOString()
    if (isInGroup) {
      const times = { created_at: now, last_login_at: now }
      const identity = { user_id: id, issuer: 'https://id.example', subject: email, email, ...times }
      await first.database.db
        .insertInto('identities')
        .values({ ...identity, groups: [GROUP] })
        .execute()
    }
    const start = { isDisabled: false, isAdmin: false, role: null, overrides: new Map(), credentials: [] }
    people.push({ id, email, isInGroup, ...start })
  }
  return people
}

async function createWorld(): Promise<ChangeWorld> {
  const created = await first.call({ path: '/api/projects', body: { name: 'Of groups' } })
  const groupProject: string = created.body.id
  const { production, staging } = first.environments
  const customRoles = new Map([
    ['custom-0', { read: true, write: false }],
    ['custom-1', { read: true, write: true }],
  ])
  for (const [key, { write }] of customRoles) {
    const permissions = ['read_environment', ...(write ? ['write_flags'] : [])]
    await first.call({ path: '/api/roles', body: { key, name: key, permissions } })
  }
  const model: Model = { people: await insertPeople(), customRoles, groupRole: null, keys: [] }
  return {
    model,
    random: createRandom(SEED),
    servers: [first, second],
    places: [
      { project: first.project.id, environment: production },
      { project: first.project.id, environment: staging },
      { project: groupProject, environment: created.body.environments[0].id },
    ],
    handProject: first.project.id,
    groupProject,
    group: GROUP,
  }
}

test(`after each of ${SEQUENCES} random sequences of changes everyone has exactly what was left to them`, {
  timeout: IS_FULL ? 60 * 60_000 : 300_000,
}, async () => {
  process.stdout.write(`access changes: seed ${SEED}\n`)
  const world = await createWorld()
  const watch = createWatch(world)
  for (const person of world.model.people) await startSession(world, person)
  let changes = 0
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    await watch.openStreams()
    const made: string[] = []
    for (let left = 1 + world.random.below(3); left > 0; left -= 1) {
      const changed = await changeSomething(world)
      made.push(changed.what)
      changes += 1
      await watch.check(changed, performance.now()).catch((cause: unknown) => {
        throw new Error(`seed ${SEED}, sequence ${sequence}: ${made.join(', ')}`, { cause })
      })
    }
  }
  const streams = await watch.everyStreamWorks()
  watch.close()
  const sorted = watch.delays.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  const { requests, streamsEnded } = watch.figures
  process.stdout.write(
    `access changes: ${SEQUENCES} sequences, ${changes} changes, ${requests} requests, ` +
      `${streamsEnded} streams ended, ${streams} open at the end; last found outdated after ` +
      `${at(0.5)} ms (median), ${at(0.99)} ms (99 of 100), ${at(1)} ms (longest)\n`,
  )
  expect(changes).toBeGreaterThanOrEqual(SEQUENCES)
})
