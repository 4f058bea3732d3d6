import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

const MIB = 1024 * 1024
/** So that a MiB holds nine flags that name the segment. */
const SEGMENT_CHARACTERS = 110_000
const FITTING = 9

let server: TestServer
let environment: string
let key: string
beforeAll(async () => {
  server = await startTestServer({ env: { ENVIRONMENT_WIRE_MB: '1' } })
  environment = server.environments.staging
  const minted = await server.call({
    path: `/api/projects/${server.project.id}/keys`,
    body: { name: 'reader', environment_id: environment, kind: 'reader' },
  })
  key = minted.body.key
  expect((await putSegment(SEGMENT_CHARACTERS)).status).toBe(200)
})
afterAll(() => server.close())

const rulesOf = (characters: number) => [
  { attribute: 'id', operator: 'equals', values: [randomBytes(characters / 2).toString('hex')] },
]
const putSegment = (characters: number): Promise<Answer> =>
  server.call({
    path: `/api/environments/${environment}/segments`,
    body: { key: 'crowd', name: 'Crowd', rules: rulesOf(characters) },
  })
const patchSegment = (characters: number): Promise<Answer> =>
  server.call({
    method: 'PATCH',
    path: `/api/environments/${environment}/segments/crowd`,
    body: { rules: rulesOf(characters) },
  })
const flagPath = (name = '') => `/api/environments/${environment}/flags${name && `/${name}`}`
const putFlag = (key: string, rules: readonly object[] = [{ segment_key: 'crowd' }]): Promise<Answer> =>
  server.call({ path: flagPath(), body: { key, is_enabled: true, flag_type: 'boolean', rules } })
const patchFlag = (key: string, body: object): Promise<Answer> =>
  server.call({ method: 'PATCH', path: flagPath(key), body })
const remove = (key: string): Promise<Answer> => server.call({ method: 'DELETE', path: flagPath(key) })

/** Returns the counted size of the environment, and the sum of its flags. */
async function counted() {
  const { rows } = await server.database.pool.query(
    `select wire_bytes, (select coalesce(sum(wire_bytes), 0) from flags where environment_id = $1) as of_flags
     from environments where id = $1`,
    [environment],
  )
  return { environment: Number(rows[0].wire_bytes), flags: Number(rows[0].of_flags) }
}

async function snapshotBytes(): Promise<number> {
  const answer = await fetch(`${server.url}/flags/snapshot`, { headers: { authorization: `Bearer ${key}` } })
  const { byteLength } = await answer.arrayBuffer()
  return answer.status === 200 ? byteLength : Number.NaN
}

describe('what SDKs of an environment receive', () => {
  it('SDKs receive a bounded size, however small the flags are that name a large segment', async () => {
    for (let nth = 0; nth < FITTING; nth += 1) expect((await putFlag(`fits-${nth}`)).status).toBe(200)
    const refused = await putFlag('one-more')
    expect(refused.status).toBe(422)
    expect(refused.body.error).toMatch(/would receive 2 MB .*they may receive 1 MB.*ENVIRONMENT_WIRE_MB/s)
    expect((await server.call({ path: flagPath('one-more') })).status).toBe(404)
    expect((await putFlag('small', [])).status).toBe(200)
  })

  it('the size for SDKs is counted as it is sent', async () => {
    const { environment: bytes, flags } = await counted()
    expect(bytes).toBe(flags)
    expect(bytes).toBeGreaterThan(FITTING * SEGMENT_CHARACTERS)
    expect(bytes).toBeLessThan(MIB)
  })

  it('the size for SDKs is bounded for a growing segment, for a repeated rule, and for many small steps', async () => {
    expect((await patchSegment(SEGMENT_CHARACTERS * 2)).status).toBe(422)
    const twice = [{ segment_key: 'crowd' }, { segment_key: 'crowd', variant: false }]
    expect((await patchFlag('fits-0', { rules: twice })).status).toBe(422)
    const steps: number[] = []
    for (let nth = 0; nth < 400 && steps.at(-1) !== 422; nth += 1)
      steps.push((await patchFlag('small', { description: 'x'.repeat(nth * 500) })).status)
    expect(steps.at(-1)).toBe(422)
    expect((await counted()).environment).toBeLessThanOrEqual(MIB)
  })

  it('archiving, deleting and a smaller segment reduce the size for SDKs', async () => {
    await patchFlag('small', { description: '' })
    expect((await server.call({ method: 'POST', path: flagPath('fits-0/archive') })).status).toBe(200)
    expect((await putFlag('in-its-place')).status).toBe(200)
    expect((await server.call({ method: 'POST', path: flagPath('fits-0/unarchive') })).status).toBe(422)
    expect((await remove('fits-1')).status).toBe(204)
    expect((await server.call({ method: 'POST', path: flagPath('fits-0/unarchive') })).status).toBe(200)
    expect((await patchSegment(1_000)).status).toBe(200)
    const { environment: bytes, flags } = await counted()
    expect(bytes).toBe(flags)
    expect(bytes).toBeLessThan(FITTING * 2_500)
    for (let nth = 0; nth < 5; nth += 1) expect((await putFlag(`later-${nth}`)).status).toBe(200)
  })
})

describe('environments above the size for SDKs', () => {
  it('an environment above the size can be read, and its flags disabled, archived and deleted', async () => {
    const generous = await startTestServer({
      database: server.database,
      env: { ENVIRONMENT_WIRE_MB: '64' },
    })
    const written = await generous.call({
      method: 'PATCH',
      path: `/api/environments/${environment}/segments/crowd`,
      body: { rules: rulesOf(SEGMENT_CHARACTERS * 2) },
    })
    await generous.close()
    expect(written.status).toBe(200)
    expect((await counted()).environment).toBeGreaterThan(2 * MIB)
    expect(await snapshotBytes()).toBeGreaterThan(2 * MIB)

    expect((await putFlag('tiny', [])).status).toBe(422)
    expect((await patchFlag('fits-2', { is_enabled: false })).status).toBe(200)
    expect((await patchFlag('fits-3', { is_enabled: false, rules: [] })).status).toBe(200)
    expect((await patchSegment(SEGMENT_CHARACTERS)).status).toBe(200)
    expect((await server.call({ method: 'POST', path: flagPath('fits-2/archive') })).status).toBe(200)
    expect((await remove('fits-2')).status).toBe(204)
    const { environment: bytes, flags } = await counted()
    expect(bytes).toBe(flags)
  })
})
