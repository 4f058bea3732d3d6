import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dumpDatabase } from '../../harness/dump-database.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let environment: string

beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
  await create('vip', [RULE])
  await create('outer', [{ segment_key: 'vip' }])
  await putFlag('direct', [{ segment_key: 'vip' }])
  await putFlag('indirect', [{ segment_key: 'outer', variant: 'gold' }], TEXT)
  await putFlag('waiting', [{ segment_key: 'not-yet' }])
  await putFlag('other', [RULE])
  await putFlag('archived', [{ segment_key: 'vip' }])
  await server.call({ method: 'POST', path: `${environment}/flags/archived/archive` })
})
afterAll(() => server.close())

const RULE = { attribute: 'plan', operator: 'equals', values: ['pro'] }
const TEXT = { flag_type: 'string', default_value: 'plain', disabled_value: 'off' }
const create = (key: string, rules: object[]) =>
  server.call({ path: `${environment}/segments`, body: { name: key, key, rules } })
const putFlag = (key: string, rules: object[], more: object = {}) =>
  server.call({ path: `${environment}/flags`, body: { key, is_enabled: true, rules, ...more } })
const preview = (key: string, patch: object | null) =>
  server.call({ path: `${environment}/segments/preview`, body: { key, patch } })
const keysOf = ({ flags }: { flags: { flag_key: string }[] }) => flags.map(({ flag_key }) => flag_key)

describe('a preview of a segment', () => {
  it('lists the flags that would be sent again, with the difference of their rules', async () => {
    const { body, status } = await preview('vip', { rules: [{ ...RULE, values: ['pro', 'team'] }] })
    expect(status).toBe(200)
    expect(body.before).toEqual({ name: 'vip', key: 'vip', description: null, rules: [RULE] })
    expect(body.after.rules).toEqual([{ ...RULE, values: ['pro', 'team'] }])
    expect(body.flag_count).toBe(2)
    const changes = [{ path: '/rules/0/values', before: ['pro'], after: ['pro', 'team'] }]
    expect(body.flags).toEqual([
      { flag_key: 'direct', changes, is_cut: false },
      { flag_key: 'indirect', changes, is_cut: false },
    ])
    expect(body.warnings).toEqual([])
  })

  it('has the warnings that the write has', async () => {
    const { body } = await preview('vip', { rules: [{ ...RULE, variant: 7 }, { segment_key: 'nowhere' }] })
    const codes = body.warnings.map(({ code }: { code: string }) => code)
    expect(codes.sort()).toEqual(['segment_variant_type', 'segment_variant_type', 'unknown_segment'])
  })

  it('that would be created shows the flags that name it already', async () => {
    const { body } = await preview('not-yet', { name: 'Not yet', rules: [RULE] })
    expect(body.before).toBeNull()
    expect(keysOf(body)).toEqual(['waiting'])
    expect(body.flags[0].changes).toEqual([{ path: '/rules', before: [], after: [RULE] }])
    const nameless = await preview('not-yet', { rules: [] })
    expect([nameless.status, nameless.body.error]).toEqual([422, '/patch/name is required.'])
  })

  it('that would be deleted shows what is left', async () => {
    const { body } = await preview('vip', null)
    expect(body.after).toBeNull()
    expect(keysOf(body)).toEqual(['direct', 'indirect'])
    for (const { changes } of body.flags) expect(changes[0]).toMatchObject({ path: '/rules', after: [] })
    expect((await preview('nowhere', null)).status).toBe(404)
  })

  it('that would be renamed changes no rule that SDKs receive', async () => {
    const { body } = await preview('vip', { key: 'very-important' })
    expect(body.after.key).toBe('very-important')
    expect(body.flag_count).toBe(2)
    for (const { changes } of body.flags) expect(changes).toEqual([])
    expect((await preview('vip', { key: 'outer' })).status).toBe(409)
  })

  it('refuses what the write refuses, and stores nothing', async () => {
    const before = await dumpDatabase(server.database.pool)
    const { body, status } = await preview('vip', { rules: [{ attribute: 'a' }] })
    expect([status, body.details[0].path]).toEqual([422, '/patch/rules/0/operator'])
    expect((await preview('vip', { rules: [RULE, RULE] })).status).toBe(200)
    expect(await dumpDatabase(server.database.pool)).toEqual(before)
  })

  it('refuses a flag that would become too large, also one that is not shown', async () => {
    await create('base', [])
    for (let nth = 0; nth < 50; nth += 1) await putFlag(`base-${nth}`, [{ segment_key: 'base' }])
    await putFlag(
      'last-of-base',
      [...Array(12)].map(() => ({ segment_key: 'base' })),
    )
    const rules = Array.from({ length: 1_000 }, () => RULE)
    const { body, status } = await preview('base', { rules })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain('become too large')
  })

  it('shows 50 flags and counts the others, and cuts long differences', async () => {
    await create('popular', [])
    for (let nth = 0; nth < 51; nth += 1) await putFlag(`popular-${nth}`, [{ segment_key: 'popular' }])
    const values = Array.from({ length: 3_000 }, (_, at) => `value-${at}`)
    const { body } = await preview('popular', { rules: [{ ...RULE, values }] })
    expect(body.flag_count).toBe(51)
    expect(body.flags).toHaveLength(50)
    for (const flag of body.flags) expect(flag).toMatchObject({ changes: [], is_cut: true })
  })
})
