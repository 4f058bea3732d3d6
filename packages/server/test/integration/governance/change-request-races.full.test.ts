import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnvironmentCalls, type EnvironmentCalls } from '../../governance/environment-calls.ts'
import { createPeople, type People } from '../../governance/people.ts'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const ROUNDS = 100
/** The rounds that run concurrently: the two calls of a round race. */
const AT_ONCE = 5

let first: TestServer
let second: TestServer
let people: People
/** The same environment on two instances with one database. */
let here: EnvironmentCalls
let there: EnvironmentCalls

beforeAll(async () => {
  first = await startTestServer()
  second = await startTestServer({ database: first.database })
  people = await createPeople(first)
  here = createEnvironmentCalls(first, first.environments.production)
  there = createEnvironmentCalls(second, first.environments.production)
  await here.require({ require_approval: true })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

interface Round {
  readonly key: string
  readonly id: number
}

/** Creates a flag with a pending request for each round: one bulk action turns flags into requests. */
async function prepare(name: string): Promise<Round[]> {
  const keys = Array.from({ length: ROUNDS }, (_, index) => `${name}-${index}`)
  await Promise.all(keys.map((key) => here.put({ key })))
  const { body } = await here.send('POST', '/flags/bulk', people.requester.as, { keys, action: 'enable' })
  return body.results.map((result: { key: string; status: number; change_request: { id: number } }) => {
    expect(result.status).toBe(202)
    return { key: result.key, id: result.change_request.id }
  })
}

interface Played extends Round {
  /** The statuses of the two calls of the round. */
  readonly statuses: string
  readonly status: string
  /** The events and audit entries of the round, after the request was opened. */
  readonly events: string
  readonly actions: string
}

type Move = (round: Round) => Promise<Answer>

/** Plays every round: both calls at once, one to each instance, each first in half of the rounds. */
async function play(name: string, one: Move, other: Move): Promise<Played[]> {
  const rounds = await prepare(name)
  const answered = new Map<number, string>()
  for (let start = 0; start < rounds.length; start += AT_ONCE) {
    await Promise.all(
      rounds.slice(start, start + AT_ONCE).map(async (round) => {
        const moves = [() => one(round), () => other(round)]
        const isTurned = round.id % 2 === 0
        const answers = await Promise.all((isTurned ? moves.reverse() : moves).map((move) => move()))
        if (isTurned) answers.reverse()
        answered.set(round.id, answers.map(({ status }) => status).join(' '))
      }),
    )
  }
  return readOutcomes(rounds, answered)
}

async function readOutcomes(
  rounds: readonly Round[],
  answered: ReadonlyMap<number, string>,
): Promise<Played[]> {
  const { db } = first.database
  const requests = await db.selectFrom('change_requests').select(['id', 'status']).execute()
  const events = await db.selectFrom('domain_events').select(['type', 'data']).orderBy('id').execute()
  const entries = await db.selectFrom('audit_log').select(['flag_key', 'action']).orderBy('id').execute()
  const since = (types: readonly string[]): string => types.slice(2).join(' ')
  return rounds.map(({ id, key }) => ({
    id,
    key,
    statuses: answered.get(id) ?? '',
    status: requests.find((request) => request.id === id)?.status ?? 'none',
    events: since(
      events.filter(({ data }) => (data as { flag_key: string }).flag_key === key).map(({ type }) => type),
    ),
    actions: since(entries.filter(({ flag_key }) => flag_key === key).map(({ action }) => action)),
  }))
}

interface Outcome extends Omit<Played, keyof Round> {
  readonly is_enabled: boolean | null
}

/** Expects each round to be one of the outcomes, with its flag in the state of that outcome. */
async function expectOutcomes(played: readonly Played[], outcomes: readonly Outcome[]): Promise<void> {
  const { body } = await here.send('GET', '/flags', 'admin')
  const enabled = new Map<string, boolean>(
    body.map((flag: { key: string; is_enabled: boolean }) => [flag.key, flag.is_enabled]),
  )
  expect(played).toHaveLength(ROUNDS)
  // Each of the two calls is first in half of the rounds, so that either outcome occurs.
  expect(new Set(played.map(({ statuses }) => statuses)).size).toBe(outcomes.length)
  for (const { id: _, key, ...outcome } of played) {
    expect(outcomes, key).toContainEqual({ ...outcome, is_enabled: enabled.get(key) ?? null })
  }
}

const APPROVED = {
  status: 'approved',
  events: 'change_request.approved flag.updated',
  actions: 'change_request.approve',
  is_enabled: true,
}

describe(`concurrent calls on two instances, ${ROUNDS} times`, () => {
  it('approve and approve: one is 200 and one 409', async () => {
    const played = await play(
      'approve',
      ({ id }) => here.approve(id, people.editor.as),
      ({ id }) => there.approve(id, people.admin.as),
    )
    await expectOutcomes(played, [
      { ...APPROVED, statuses: '200 409' },
      { ...APPROVED, statuses: '409 200' },
    ])
  })

  it('approve and reject: 200 and 409, or 409 and 204', async () => {
    const played = await play(
      'reject',
      ({ id }) => here.approve(id, people.editor.as),
      ({ id }) => there.reject(id, people.admin.as, { reason: 'No' }),
    )
    await expectOutcomes(played, [
      { ...APPROVED, statuses: '200 409' },
      {
        statuses: '409 204',
        status: 'rejected',
        events: 'change_request.rejected',
        actions: 'change_request.reject',
        is_enabled: false,
      },
    ])
  })

  it('approve and cancel: 200 and 404, or 409 and 204', async () => {
    const played = await play(
      'cancel',
      ({ id }) => here.approve(id, people.editor.as),
      ({ id }) => there.cancel(id, people.requester.as),
    )
    await expectOutcomes(played, [
      { ...APPROVED, statuses: '200 404' },
      {
        statuses: '409 204',
        status: 'cancelled',
        events: '',
        actions: 'change_request.cancel',
        is_enabled: false,
      },
    ])
  })

  it('approve and DELETE of the flag: 200 and 204, or 404 and 204 with the request cancelled', async () => {
    const played = await play(
      'delete',
      ({ id }) => here.approve(id, people.editor.as),
      ({ key }) => there.remove(key, people.admin.as),
    )
    await expectOutcomes(played, [
      {
        statuses: '200 204',
        status: 'approved',
        events: `${APPROVED.events} flag.deleted`,
        actions: `${APPROVED.actions} delete`,
        is_enabled: null,
      },
      {
        statuses: '404 204',
        status: 'cancelled',
        events: 'flag.deleted',
        actions: 'delete change_request.cancel',
        is_enabled: null,
      },
    ])
  })
})

describe('after all races', () => {
  it('both instances serve the flags of the database, revision for revision', async () => {
    const read = async ({ url }: TestServer) => {
      const answer = await fetch(`${url}/flags/snapshot`, {
        headers: { authorization: `Bearer ${first.sdkKey}` },
      })
      return answer.text()
    }
    await expect.poll(() => read(second), { timeout: 10_000 }).toBe(await read(first))
    const { db } = first.database
    const changes = await db
      .selectFrom('environment_changes')
      .select('revision')
      .where('environment_id', '=', here.id)
      .orderBy('revision')
      .execute()
    expect(changes.map(({ revision }) => revision)).toEqual(changes.map((_, index) => index + 1))
  })
})
