import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { createChoices, editRandomly, USERS } from '../../history/random-edits.ts'

let server: TestServer
let environment: string
beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
})
afterAll(() => server.close())

const replay = async (body: object, status = 200) => {
  const answer = await server.call({ path: `${environment}/evaluate/history`, body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer.body
}

interface PastValue {
  readonly revision: number
  readonly value: unknown
  readonly enabled: boolean
}

describe('the values of a user in a window', () => {
  it('say when they moved, by whom, and by which kind of change', async () => {
    const call = (method: string, path: string, body: object) =>
      server.call({ method, path: `${environment}/${path}`, body })
    await call('POST', 'segments', { key: 'vip', name: 'VIP' })
    await call('POST', 'flags', {
      key: 'base',
      is_enabled: true,
      rollout_percentage: 0,
      rules: [{ segment_key: 'vip' }],
    })
    await call('POST', 'flags', { key: 'top', is_enabled: true, prerequisites: [{ flag_key: 'base' }] })
    const from = new Date().toISOString()
    await call('PATCH', 'segments/vip', { included_keys: ['ann'] })
    await call('PATCH', 'flags/top', { description: 'It moves nobody' })
    await call('PATCH', 'flags/base', { is_enabled: false })
    const { flags } = await replay({ user_key: 'ann', from })
    const values = (cause: string) => [
      { value: false, cause: null, actor_email: null },
      { value: true, cause: cause === 'own' ? 'segment' : cause, actor_email: 'ada@example.com' },
      { value: false, cause, audit_id: expect.any(Number) },
    ]
    expect(flags).toMatchObject([
      { flag_key: 'base', values: values('own') },
      { flag_key: 'top', values: values('prerequisite') },
    ])
    expect((await replay({ user_key: 'bob', from })).flags).toEqual([])
    const named = await replay({ user_key: 'ann', from, flag_keys: ['top', 'nowhere'] })
    expect(named.flags.map(({ flag_key }: { flag_key: string }) => flag_key)).toEqual(['top'])
  })

  it('equal what every revision gives, after random edits', async () => {
    const from = new Date().toISOString()
    const choices = createChoices(7)
    for (let at = 0; at < 25; at += 1) await editRandomly(server, environment, choices)
    for (const user of USERS) {
      const { flags, from_revision, to_revision } = await replay({ ...user, from })
      expect(to_revision).toBeGreaterThan(from_revision)
      for (let revision = from_revision; revision <= to_revision; revision += 1) {
        const body = { ...user, revision, trace: false }
        const { body: then } = await server.call({ path: `${environment}/evaluate`, body })
        for (const { flag_key, values } of flags) {
          const last = values.findLast((one: PastValue) => one.revision <= revision)
          const item = then.flags.find((one: { flag_key: string }) => one.flag_key === flag_key)
          const given = { value: last?.value ?? null, enabled: last?.enabled ?? false }
          expect({ flag_key, revision, ...given }).toEqual({
            ...{ flag_key, revision, value: item?.value ?? null, enabled: item?.enabled ?? false },
          })
        }
      }
    }
  })

  it.each([
    [{ from: '2001-01-01T00:00:00Z' }],
    [{ from: '2999-01-01T00:00:00Z' }],
    [{ from: new Date().toISOString(), to: '2001-01-01T00:00:00Z' }],
    [{}],
  ])('a window that is not known or ends before it begins is 422: %o', async (body) => {
    await replay(body, 422)
  })
})
