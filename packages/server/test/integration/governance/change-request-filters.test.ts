import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnvironmentCalls, type EnvironmentCalls } from '../../governance/environment-calls.ts'
import { createPeople, type People } from '../../governance/people.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let people: People
let production: EnvironmentCalls
/** The ids of the pending requests of the editor who asks, of the other editor and of a key. */
let ids: { readonly asker: number; readonly editor: number; readonly key: number }

beforeAll(async () => {
  server = await startTestServer()
  people = await createPeople(server)
  production = createEnvironmentCalls(server, server.environments.production)
  for (const key of ['Checkout', 'banner', 'prices']) await production.put({ key })
  await production.require({ require_approval: true })
  ids = {
    asker: await ask('Checkout', people.requester.as, 'Before the Weekend'),
    editor: await ask('banner', people.editor.as, 'for the 100% sale'),
    key: await ask('prices', people.otherKey, 'nightly'),
  }
})
afterAll(() => server.close())

async function ask(key: string, as: As, comment: string): Promise<number> {
  const { body, status } = await production.patch(key, { is_enabled: true, comment }, as)
  expect(status).toBe(202)
  return body.id
}

const idsOf = async (query: string, as?: As): Promise<number[]> => {
  const { body, status } = await production.requests(query, as)
  expect(status).toBe(200)
  return body.map(({ id }: { id: number }) => id)
}

describe('the list of change requests', () => {
  it.each([
    ['the flag key', 'CHECK', () => [ids.asker]],
    ['the requester', 'Editor@', () => [ids.editor]],
    ['the name of a requesting key', 'other robot', () => [ids.key]],
    ['the comment', 'weekend', () => [ids.asker]],
    ['a comment with a character that SQL patterns give a meaning', '100%', () => [ids.editor]],
    ['nothing', 'no such text', () => []],
    ['everything, when it is empty', '', () => [ids.key, ids.editor, ids.asker]],
  ])('is searched by %s', async (_, q, expected) => {
    expect(await idsOf(`?q=${encodeURIComponent(q)}`)).toEqual(expected())
  })

  it('has a limit for the text of the search, and refuses characters that cannot be stored', async () => {
    expect((await production.requests(`?q=${'a'.repeat(200)}`)).status).toBe(200)
    expect((await production.requests(`?q=${'a'.repeat(201)}`)).status).toBe(422)
    expect((await production.requests('?q=%00')).status).toBeGreaterThanOrEqual(400)
    expect((await production.requests('?mine=maybe')).status).toBe(422)
  })

  it('has only the requests of the caller with mine=true, whatever the credential', async () => {
    for (const as of [people.requester.as, people.askerToken]) {
      expect(await idsOf('?mine=true', as)).toEqual([ids.asker])
    }
    expect(await idsOf('?mine=true', people.otherKey)).toEqual([ids.key])
    expect(await idsOf('?mine=true&q=banner', people.requester.as)).toEqual([])
    expect(await idsOf('?mine=false', people.requester.as)).toHaveLength(3)
  })

  it('has exactly the requests that the caller may approve with waiting_for_me=true', async () => {
    const callers: readonly (readonly [As, number[]])[] = [
      ['admin', [ids.key, ids.editor, ids.asker]],
      [people.requester.as, [ids.key, ids.editor]],
      [people.editor.as, [ids.key, ids.asker]],
      // The admin created the key that asked.
      [people.admin.as, [ids.editor, ids.asker]],
      [people.viewer.as, []],
      [people.key, [ids.key, ids.editor, ids.asker]],
    ]
    for (const [as, expected] of callers) expect(await idsOf('?waiting_for_me=true', as)).toEqual(expected)
  })

  it('has nothing for a key with waiting_for_me=true where every change needs approval', async () => {
    await production.require({ require_approval: true, approval_scope: 'all' })
    expect(await idsOf('?waiting_for_me=true', people.key)).toEqual([])
    expect(await idsOf('?waiting_for_me=true', people.editor.as)).toEqual([ids.key, ids.asker])
    await production.require({ require_approval: true, approval_scope: 'patch' })
  })

  it('is read page by page within a filter', async () => {
    const first = await production.requests('?waiting_for_me=true&limit=2')
    const cursor = first.headers.get('x-next-cursor') ?? ''
    expect(first.body.map(({ id }: { id: number }) => id)).toEqual([ids.key, ids.editor])
    expect(await idsOf(`?waiting_for_me=true&limit=2&cursor=${cursor}`)).toEqual([ids.asker])
  })
})

describe('a decided change request', () => {
  const current = async (key: string) => (await production.get(key)).body
  const decidedOf = async (id: number) => {
    const { decided_change, preview } = await production.request(id)
    expect(preview).toBeNull()
    return decided_change
  }

  it('keeps the flag before and after it, whatever happens to the flag later', async () => {
    const before = await current('banner')
    expect((await production.request(ids.editor)).decided_change).toBeNull()
    await production.approve(ids.editor, 'admin')
    const after = await current('banner')
    const decided = {
      before,
      after,
      changes: [{ path: '/is_enabled', before: false, after: true }],
    }
    expect(await decidedOf(ids.editor)).toEqual(decided)
    await production.put({ key: 'banner', is_enabled: false, description: 'Changed later' })
    expect(await decidedOf(ids.editor)).toEqual(decided)
    const listed = async (query: string) => (await production.requests(query)).body[0].decided_change
    expect(await listed('?status=approved&preview=true')).toEqual(decided)
    expect(await listed('?status=approved')).toBeNull()
  })

  it('keeps what a rejected or withdrawn change would have done', async () => {
    const before = await current('Checkout')
    await production.reject(ids.asker, 'admin')
    expect(await decidedOf(ids.asker)).toEqual({
      before,
      after: { ...before, is_enabled: true },
      changes: [{ path: '/is_enabled', before: false, after: true }],
    })
    const prices = await current('prices')
    await production.cancel(ids.key, 'admin')
    expect(await decidedOf(ids.key)).toMatchObject({ before: prices, after: { is_enabled: true } })
  })

  it('keeps a change for a later time as it was to be', async () => {
    await production.require({ require_approval: true, approval_scope: 'all' })
    const before = await current('prices')
    const { body, status } = await production.send(
      'POST',
      '/flags/prices/scheduled-changes',
      people.editor.as,
      {
        scheduled_at: '2099-01-01T00:00:00Z',
        patch: { rollout_percentage: 30 },
      },
    )
    expect(status).toBe(202)
    await production.approve(body.id, 'admin')
    expect(await decidedOf(body.id)).toMatchObject({ before, after: { ...before, rollout_percentage: 30 } })
    expect(await current('prices')).toEqual(before)
  })

  it('has a deleted flag as null after it, and counts what it stores', async () => {
    const before = await current('prices')
    const { body } = await production.remove('prices', people.editor.as)
    const bytes = async () =>
      (
        await server.database.db
          .selectFrom('change_requests')
          .select('bytes')
          .where('id', '=', body.id)
          .executeTakeFirstOrThrow()
      ).bytes
    const pending = await bytes()
    await production.approve(body.id, 'admin')
    expect(await decidedOf(body.id)).toMatchObject({ before, after: null })
    expect(await bytes()).toBeGreaterThan(pending)
  })
})
