import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findFlagAtRevision } from '../../../src/targeting/flag-operations/flag-history.ts'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { stateOf } from '../../harness/state-of.ts'

let server: TestServer
let environment_id: string
let flags: string
let key: string
let count = 0

beforeAll(async () => {
  server = await startTestServer()
  environment_id = server.environments.production
  flags = `/api/environments/${environment_id}/flags`
})
afterAll(() => server.close())
beforeEach(() => {
  count += 1
  key = `flag-${count}`
})

const put = (body: object = {}): Promise<Answer> =>
  server.call({ path: flags, body: { key, is_enabled: true, ...body } })
const patch = (body: object, bearer?: string): Promise<Answer> =>
  server.call({ method: 'PATCH', path: `${flags}/${key}`, body, ...(bearer && { as: { bearer } }) })
const history = (query = ''): Promise<Answer> => server.call({ path: `${flags}/${key}/history${query}` })

describe('GET history', () => {
  it('the history has the flag after each change, newest first, with action and actor', async () => {
    const created = await put()
    const updated = await patch({ description: 'Two' }, server.sdkKey)
    const replaced = await put({ description: 'Three' })
    const archived = await patch({ archived_at: '2026-01-01T00:00:00Z' })
    const unarchived = await patch({ archived_at: null })
    const { body, status } = await history()
    expect(status).toBe(200)
    expect(body.map(({ action }: { action: string }) => action)).toEqual([
      'unarchive',
      'archive',
      'update',
      'update',
      'create',
    ])
    expect(body.map(({ flag }: { flag: object }) => flag)).toEqual(
      [unarchived, archived, replaced, updated, created].map((answer) => stateOf(answer.body)),
    )
    for (const entry of body) {
      expect(entry.revision).toBe(entry.flag.revision)
      expect(Object.keys(entry).sort()).toEqual([
        'action',
        'actor_email',
        'comment',
        'created_at',
        'flag',
        'revision',
      ])
    }
    expect(body.map(({ actor_email }: { actor_email: string }) => actor_email)).toEqual([
      'ada@example.com',
      'ada@example.com',
      'ada@example.com',
      expect.stringMatching(/^sdk-key:/),
      'ada@example.com',
    ])
  })

  it('the history keeps JSON values as they were written', async () => {
    const default_value = { b: 1, a: [null, { c: 'x' }] }
    await put({ flag_type: 'json', default_value })
    const { body } = await history()
    expect(JSON.stringify(body[0].flag.default_value)).toBe(JSON.stringify(default_value))
  })

  it('the history is that of one flag in one environment', async () => {
    await put()
    const elsewhere = `/api/environments/${server.environments.staging}/flags`
    await server.call({ path: elsewhere, body: { key, is_enabled: false } })
    expect((await history()).body).toHaveLength(1)
  })

  it('the history continues when a flag was deleted and created again', async () => {
    await put({ description: 'first life' })
    await server.call({ method: 'DELETE', path: `${flags}/${key}` })
    expect((await history()).status).toBe(404)
    await put({ description: 'second life' })
    const { body } = await history()
    expect(body.map(({ flag }: { flag: { description: string } }) => flag.description)).toEqual([
      'second life',
      'first life',
    ])
  })

  it('the history clamps limit and offset, 200 entries at most', async () => {
    await put()
    for (let at = 1; at <= 204; at++) await patch({ description: `${at}` })
    const revisionsOf = async (query: string) =>
      (await history(query)).body.map(({ flag }: { flag: { description: string } }) => flag.description)
    expect(await revisionsOf('')).toHaveLength(200)
    expect(await revisionsOf('?limit=1000')).toHaveLength(200)
    expect(await revisionsOf('?limit=2')).toEqual(['204', '203'])
    expect(await revisionsOf('?limit=0')).toEqual(['204'])
    expect(await revisionsOf('?limit=-5')).toEqual(['204'])
    expect(await revisionsOf('?limit=2&offset=2')).toEqual(['202', '201'])
    expect(await revisionsOf('?offset=-1&limit=1')).toEqual(['204'])
    expect(await revisionsOf('?offset=203')).toEqual(['1', null])
    expect(await revisionsOf('?offset=999999999999999')).toEqual([])
    expect((await history('?limit=many')).status).toBe(422)
    expect((await history('?offset=1.5')).status).toBe(422)
  })

  it('the history ignores unknown parameters', async () => {
    await put()
    const { body } = await history()
    const elsewhere = server.environments.staging
    const other = `${key}-other`
    await server.call({ path: flags, body: { key: other, is_enabled: true } })
    for (const odd of [
      `environment_id=${elsewhere}`,
      `key=${other}`,
      'environment_id=x&key=',
      '__proto__=1',
    ]) {
      const answer = await history(`?${odd}`)
      expect({ odd, status: answer.status, body: answer.body }).toEqual({ odd, status: 200, body })
    }
    for (const odd of ['0x10', '1e1', '%205', '5.0'])
      expect((await history(`?limit=${odd}`)).status).toBe(422)
    expect((await history('?limit=%2B5')).body).toEqual(body)
  })

  it('the history is 404 for an unknown flag', async () => {
    expect((await history()).status).toBe(404)
  })

  it('the history leaves out invalid flags of other versions, and fills in later fields', async () => {
    await put()
    const audit = (action: string, after: object | null) =>
      server.database.db
        .insertInto('audit_log')
        .values({
          project_id: server.project.id,
          environment_id,
          flag_key: key,
          actor_email: 'old@example.com',
          action,
          before_data: null,
          after_data: after && JSON.stringify(after),
          metadata: null,
          created_at: '2020-01-01T00:00:00.000Z',
        })
        .execute()
    await audit('update', { key, is_enabled: false, revision: 900_001, colour: 'blue' })
    await audit('update', { key, is_enabled: 'yes', revision: 900_002 })
    await audit('update', { key, is_enabled: true })
    await audit('delete', null)
    await audit('schedule', { key, is_enabled: true, revision: 900_003 })
    const { body } = await history()
    expect(body.map(({ revision }: { revision: number }) => revision)).toEqual([900_001, expect.any(Number)])
    expect(body[0]).toMatchObject({
      actor_email: 'old@example.com',
      created_at: '2020-01-01T00:00:00.000Z',
      flag: { is_enabled: false, rules: [], default_value: true, archived_at: null },
    })
    expect(body[0].flag).not.toHaveProperty('colour')
  })
})

describe('findFlagAtRevision', () => {
  it('findFlagAtRevision returns the flag at a revision of its own history, and undefined for any other', async () => {
    const { db } = server.database
    const { body: first } = await put({ description: 'First' })
    const { body: second } = await patch({ description: 'Second' })
    const at = (revision: number) => findFlagAtRevision(db, environment_id, key, revision)
    expect(await at(first.revision)).toEqual(stateOf(first))
    expect(await at(second.revision)).toEqual(stateOf(second))
    expect(await at(second.revision + 1)).toBeUndefined()
    expect(await at(0)).toBeUndefined()
    expect(await findFlagAtRevision(db, server.environments.staging, key, first.revision)).toBeUndefined()
    expect(await findFlagAtRevision(db, environment_id, 'another', first.revision)).toBeUndefined()
  })
})
