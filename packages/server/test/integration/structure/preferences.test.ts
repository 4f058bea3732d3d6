import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addUser, type TestUser } from '../../harness/add-user.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let viewer: TestUser
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  const memberOf = { [server.project.id]: 'viewer' } as const
  viewer = await addUser(server, { email: `${randomUUID()}@example.com`, memberOf })
})

const EMPTY = { favorite_flags: {}, saved_filters: {}, environment_order: [] }

const path = () => `/api/projects/${server.project.id}/preferences`
const mine = (): As => ({ cookie: viewer.cookie })
const read = async (as: As = mine()) => (await server.call({ path: path(), as })).body
const change = (body: object, as: As = mine()) => server.call({ method: 'PATCH', path: path(), body, as })

describe('the preferences of a user', () => {
  it('are empty at first, changed by a merge patch, and seen by no other user', async () => {
    expect(await read()).toEqual(EMPTY)
    const order = [randomUUID(), randomUUID()]
    const first = await change({
      favorite_flags: { checkout: true, banner: true },
      saved_filters: { 'On, by Ada': 'state=on&owner=ada%40example.com' },
      environment_order: order,
    })
    expect(first.status).toBe(200)
    const { body } = await change({
      favorite_flags: { banner: null, prices: true },
      saved_filters: { Archived: 'archived=archived' },
    })
    expect(body).toEqual({
      favorite_flags: { checkout: true, prices: true },
      saved_filters: { 'On, by Ada': 'state=on&owner=ada%40example.com', Archived: 'archived=archived' },
      environment_order: order,
    })
    expect(await read()).toEqual(body)
    expect(await read('admin')).toEqual(EMPTY)
  })

  it('lose nothing when two tabs change them at the same time', async () => {
    const keys = Array.from({ length: 12 }, (_, nth) => `flag-${nth}`)
    await Promise.all(keys.map((key) => change({ favorite_flags: { [key]: true } })))
    expect(Object.keys((await read()).favorite_flags).sort()).toEqual([...keys].sort())
  })

  it('are bounded in number and length, and say so', async () => {
    const stars = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, nth) => [`f${nth}`, true]))
    expect((await change({ favorite_flags: stars(200) })).status).toBe(200)
    const { body, status } = await change({ favorite_flags: { more: true } })
    expect(status).toBe(422)
    expect(body.details).toEqual([
      {
        path: '/favorite_flags',
        message: 'would have 201 entries; at most 200 are stored. Remove some first',
      },
    ])
    expect((await change({ favorite_flags: { f0: null, more: true } })).status).toBe(200)
    const filters = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, nth) => [`Filter ${nth}`, 'state=on']))
    expect((await change({ saved_filters: filters(51) })).status).toBe(422)
    const order = Array.from({ length: 501 }, () => randomUUID())
    expect((await change({ environment_order: order })).status).toBe(422)
  })

  it.each([
    ['a key that no flag can have', { favorite_flags: { 'not a key': true } }],
    ['a star that is neither true nor null', { favorite_flags: { checkout: false } }],
    ['a long key', { favorite_flags: { ['a'.repeat(101)]: true } }],
    ['a blank name', { saved_filters: { ' ': 'state=on' } }],
    ['a long name', { saved_filters: { ['a'.repeat(61)]: 'state=on' } }],
    ['a long filter', { saved_filters: { a: 'a'.repeat(1001) } }],
    ['a filter that is no text', { saved_filters: { a: { state: 'on' } } }],
    ['an order of things that are no ids', { environment_order: ['production'] }],
    ['an order that is null', { environment_order: null }],
  ])('refuse %s with 422 and stay as they are', async (_, body) => {
    expect((await change(body)).status).toBe(422)
    expect(await read()).toEqual(EMPTY)
  })

  it('may have names that are special in JavaScript', async () => {
    const saved_filters = JSON.parse('{"__proto__": "state=on", "constructor": "q=a"}')
    await change({ saved_filters })
    expect(JSON.stringify((await read()).saved_filters)).toBe(JSON.stringify(saved_filters))
  })

  it('are deleted with the user and with the project, and leave no audit entry', async () => {
    const { id } = (await server.call({ path: '/api/projects', body: { name: 'Short-lived' } })).body
    const there = `/api/projects/${id}/preferences`
    await server.call({ method: 'PATCH', path: there, body: { favorite_flags: { a: true } } })
    await change({ favorite_flags: { a: true } })
    const rows = async () =>
      (
        await server.database.db.selectFrom('user_preferences').select(['project_id', 'user_id']).execute()
      ).filter((row) => row.project_id === id || row.user_id === viewer.id).length
    expect(await rows()).toBe(2)
    await server.call({ method: 'DELETE', path: `/api/users/${viewer.id}` })
    await server.call({ method: 'DELETE', path: `/api/projects/${id}` })
    expect(await rows()).toBe(0)
  })
})
