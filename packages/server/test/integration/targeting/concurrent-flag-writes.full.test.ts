import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnvironmentCalls, type EnvironmentCalls } from '../../governance/environment-calls.ts'
import { createPeople, type People } from '../../governance/people.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let first: TestServer
let second: TestServer
let people: People

beforeAll(async () => {
  first = await startTestServer()
  second = await startTestServer({ database: first.database })
  people = await createPeople(first)
})
afterAll(async () => {
  await second.close()
  await first.close()
})

/** Returns the same environment on each of the two instances. */
const onBoth = (environment_id: string): readonly EnvironmentCalls[] =>
  [first, second].map((server) => createEnvironmentCalls(server, environment_id))

const numbers = (length: number) => Array.from({ length }, (_, index) => index)

/** Expects each entry of the flag to start where the one before it ended. */
async function expectLinked(calls: EnvironmentCalls, key: string): Promise<number> {
  const entries = (await calls.audit(key)).filter(({ after, before }) =>
    [before, after].some((state) => state?.key === key && 'rules' in state),
  )
  let last: unknown = null
  for (const { action, after, before } of entries) {
    expect(before, action).toEqual(last)
    last = after
  }
  const { body, status } = await calls.get(key)
  expect(last).toEqual(status === 404 ? null : body)
  return entries.length
}

describe('100 concurrent PATCHes of distinct fields, over two instances', () => {
  it('concurrent PATCHes of distinct fields lose nothing, and the audit chain has no gap', async () => {
    const [here, there] = onBoth(first.environments.staging)
    if (!here || !there) throw new Error('two instances')
    await here.put({ key: 'shared', flag_type: 'json', default_value: {} })
    const answers = await Promise.all(
      numbers(100).map((n) =>
        (n % 2 === 0 ? here : there).patch(
          'shared',
          { default_value: { [`field_${n}`]: n } },
          people.editor.as,
        ),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(numbers(100).map(() => 200))
    const { body } = await here.get('shared')
    expect(body.default_value).toEqual(Object.fromEntries(numbers(100).map((n) => [`field_${n}`, n])))
    const revisions = answers.map((answer) => answer.body.revision).sort((one, other) => one - other)
    expect(new Set(revisions).size).toBe(100)
    expect(body.revision).toBe(revisions.at(-1))
    expect(await expectLinked(here, 'shared')).toBe(101)
  })

  it('of concurrent PATCHes with the same If-Match one is applied and the others are 412', async () => {
    const [here, there] = onBoth(first.environments.staging)
    if (!here || !there) throw new Error('two instances')
    const { revision } = (await here.put({ key: 'matched' })).body
    const answers = await Promise.all(
      numbers(20).map((n) =>
        (n % 2 === 0 ? first : second).call({
          method: 'PATCH',
          path: `/api/environments/${here.id}/flags/matched`,
          body: { rollout_percentage: n },
          headers: { 'if-match': `"${revision}"` },
        }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...numbers(19).map(() => 412)])
  })
})

describe('the audit chain of a flag', () => {
  it('the audit chain of a flag has no gap through every kind of change, and after it was created again', async () => {
    const [here] = onBoth(first.environments.production)
    const [source] = onBoth(first.environments.development)
    if (!here || !source) throw new Error('two environments')
    const key = 'chained'
    await source.put({ key, description: 'Elsewhere' })
    const { revision } = (await here.put({ key })).body
    await here.put({ key, description: 'Replaced' })
    await here.patch(key, { tags: ['x'] }, people.editor.as)
    await here.send('POST', `/flags/${key}/archive`, people.editor.as)
    await here.send('POST', `/flags/${key}/unarchive`, people.key)
    await here.send('POST', `/flags/${key}/restore`, 'admin', { revision })
    await here.send('POST', '/flags/bulk', 'admin', { keys: [key], action: 'add_tags', tags: ['y'] })
    await source.send('POST', `/flags/${key}/promote`, 'admin', { target_env_id: here.id })
    await here.require({ require_approval: true, approval_scope: 'all' })
    for (const ask of [
      () => here.patch(key, { rollout_percentage: 5 }, people.requester.as),
      () => here.put({ key, description: 'Approved' }, people.requester.as),
      () => source.send('POST', `/flags/${key}/promote`, people.requester.as, { target_env_id: here.id }),
      () =>
        here.send('POST', `/flags/${key}/scheduled-changes`, people.requester.as, {
          scheduled_at: '2999-01-01T00:00:00Z',
          patch: { is_enabled: true },
        }),
      () => here.remove(key, people.requester.as),
    ]) {
      const { body, status } = await ask()
      expect(status).toBe(202)
      expect((await here.approve(body.id, people.editor.as)).status).toBe(200)
    }
    await here.require({ require_approval: false })
    await here.put({ key, description: 'Next life' })
    expect(await expectLinked(here, key)).toBe(14)
  })
})

describe('concurrent promotions in both directions', () => {
  it('concurrent promotions between two environments never deadlock: each is 200', async () => {
    const [a, otherA] = onBoth(first.environments.production)
    const [b, otherB] = onBoth(first.environments.staging)
    if (!a || !b || !otherA || !otherB) throw new Error('two environments on two instances')
    for (const calls of [a, b]) await calls.put({ key: 'swing' })
    const swing = (from: EnvironmentCalls, to: EnvironmentCalls) =>
      from.send('POST', '/flags/swing/promote', people.editor.as, { target_env_id: to.id })
    const answers = await Promise.all(
      numbers(25).flatMap(() => [swing(a, b), swing(b, a), swing(otherA, b), swing(otherB, a)]),
    )
    expect(answers.map(({ status }) => status)).toEqual(numbers(100).map(() => 200))
    for (const calls of [a, b]) expect(await expectLinked(calls, 'swing')).toBe(51)
  })
})
