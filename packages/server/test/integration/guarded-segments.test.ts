import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEnvironmentCalls, type EnvironmentCalls } from '../governance/environment-calls.ts'
import { createPeople, type People } from '../governance/people.ts'
import { type As, startTestServer, type TestServer } from '../harness/start-test-server.ts'

let server: TestServer
let people: People
let production: EnvironmentCalls
let development: EnvironmentCalls
let count = 0
/** Of this test's own flags and segments. */
let name: (what: string) => string

const RULE = { attribute: 'plan', operator: 'equals', values: ['pro'] }

beforeAll(async () => {
  server = await startTestServer()
  people = await createPeople(server)
  production = createEnvironmentCalls(server, server.environments.production)
  development = createEnvironmentCalls(server, server.environments.development)
  await production.require({ require_approval: true, approval_scope: 'all' })
})
afterAll(() => server.close())
beforeEach(() => {
  count += 1
  const number = count
  name = (what) => `${what}-${number}`
})

const createSegment = (at: EnvironmentCalls, key: string, rules: object[] = [RULE], as: As = 'admin') =>
  at.send('POST', '/segments', as, { name: 'Segment', key, rules })
const patchSegment = (key: string, body: object, as: As) =>
  production.send('PATCH', `/segments/${key}`, as, body)
const deleteSegment = (key: string, as: As) => production.send('DELETE', `/segments/${key}`, as)
const segmentOf = async (at: EnvironmentCalls, key: string) => at.send('GET', `/segments/${key}`, 'admin')
/** What SDKs receive, byte for byte. */
const seen = async (): Promise<string> => {
  const answer = await fetch(`${server.url}/flags/snapshot`, {
    headers: { authorization: `Bearer ${server.sdkKey}` },
  })
  return answer.text()
}
const rulesOf = async (key: string) =>
  JSON.parse(await seen()).find((flag: { key: string }) => flag.key === key)?.rules

/** Everyone who may write segments but for workspace admins. */
const writers = () => [people.editor.as, people.admin.as, people.asker_token, people.key] as const

/** A flag that names `outer`, which names `inner`. */
async function seedNested(): Promise<void> {
  await createSegment(production, name('inner'))
  await createSegment(production, name('outer'), [{ segment_key: name('inner') }])
  await production.put({ key: name('flag'), rules: [{ segment_key: name('outer') }] })
}

describe('a segment write that would change a flag where every change needs approval', () => {
  it.each<readonly [string, (as: As) => Promise<{ status: number }>]>([
    ['other rules', (as) => patchSegment(name('outer'), { rules: [{ ...RULE, values: ['free'] }] }, as)],
    ['no rules', (as) => patchSegment(name('outer'), { rules: null }, as)],
    ['other rules of a segment behind it', (as) => patchSegment(name('inner'), { rules: [] }, as)],
    ['another key', (as) => patchSegment(name('outer'), { key: name('renamed') }, as)],
    ['deleting it', (as) => deleteSegment(name('outer'), as)],
    ['deleting one behind it', (as) => deleteSegment(name('inner'), as)],
  ])('is 403: %s', async (_, write) => {
    await seedNested()
    const before = await seen()
    for (const as of [...writers(), people.viewer.as, people.client_key]) {
      expect((await write(as)).status).toBe(403)
    }
    expect(await seen()).toBe(before)
    expect((await write('admin')).status).toBeLessThan(300)
    expect(await seen()).not.toBe(before)
  })

  it('takes a workspace admin, and then SDKs receive it', async () => {
    await seedNested()
    const other = { ...RULE, values: ['free'] }
    expect((await patchSegment(name('inner'), { rules: [other] }, 'admin')).status).toBe(200)
    expect(await rulesOf(name('flag'))).toEqual([other])
    expect((await patchSegment(name('outer'), { key: name('renamed') }, 'admin')).status).toBe(200)
    expect((await production.get(name('flag'))).body.rules).toEqual([{ segment_key: name('renamed') }])
    expect((await deleteSegment(name('renamed'), 'admin')).status).toBe(204)
    expect(await rulesOf(name('flag'))).toEqual([])
  })

  it('is creating one that a flag names already', async () => {
    await production.put({ key: name('flag'), rules: [{ segment_key: name('ghost') }] })
    const before = await seen()
    for (const as of writers()) {
      expect((await createSegment(production, name('ghost'), [RULE], as)).status).toBe(403)
    }
    expect(await seen()).toBe(before)
    expect((await segmentOf(production, name('ghost'))).status).toBe(404)
    expect((await createSegment(production, name('ghost'), [RULE])).status).toBe(200)
    expect(await rulesOf(name('flag'))).toEqual([RULE])
  })
})

describe('a segment write that changes nothing of a flag', () => {
  it('passes: name and description, the same rules again, a segment without rules that a flag names', async () => {
    await seedNested()
    await production.put({ key: name('waiting'), rules: [{ segment_key: name('ghost') }] })
    const before = await seen()
    const as = people.editor.as
    const answers = [
      await patchSegment(name('outer'), { name: 'Renamed', description: 'For people' }, as),
      await patchSegment(name('inner'), { rules: [RULE] }, as),
      await createSegment(production, name('ghost'), [], as),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await seen()).toBe(before)
  })

  it('passes where no flag names the segment: create, patch, rename, delete', async () => {
    const as = people.editor.as
    const answers = [
      await createSegment(production, name('free'), [RULE], as),
      await patchSegment(name('free'), { rules: [] }, as),
      await patchSegment(name('free'), { key: name('freed') }, as),
      await deleteSegment(name('freed'), as),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204])
  })

  it('passes where SDKs do not see the flag that names it: it is archived', async () => {
    await seedNested()
    const asked = await production.send('POST', `/flags/${name('flag')}/archive`, people.asker.as)
    await production.approve(asked.body.id, people.editor.as)
    expect((await patchSegment(name('outer'), { rules: [] }, people.editor.as)).status).toBe(200)
    // But its key would be written into the flag.
    expect((await patchSegment(name('outer'), { key: name('new') }, people.editor.as)).status).toBe(403)
  })
})

describe('promote with copy_segments', () => {
  const promote = (as: As) =>
    development.send('POST', `/flags/${name('flag')}/promote`, as, {
      target_env_id: production.id,
      copy_segments: true,
    })

  /** In Development: a flag, the segment that it names, and one behind that. */
  beforeEach(async () => {
    await createSegment(development, name('inner'))
    await createSegment(development, name('outer'), [{ segment_key: name('inner') }])
    await development.put({ key: name('flag'), rules: [{ segment_key: name('outer') }] })
  })

  it('is direct where the flag is new and no flag names the segments', async () => {
    expect((await promote(people.asker.as)).status).toBe(200)
    expect(await rulesOf(name('flag'))).toEqual([RULE])
  })

  it('is a change request where the flag exists; the segments, which change nothing, are copied and audited', async () => {
    await production.put({ key: name('flag') })
    const before = await seen()
    const asked = await promote(people.asker.as)
    expect(asked.status).toBe(202)
    expect(await seen()).toBe(before)
    expect((await segmentOf(production, name('inner'))).status).toBe(200)
    const opened = (await production.audit(name('flag'))).at(-1)
    expect(opened?.metadata.copied_segments.sort()).toEqual([name('inner'), name('outer')])
    expect((await production.approve(asked.body.id, people.editor.as)).status).toBe(200)
    expect(await rulesOf(name('flag'))).toEqual([RULE])
  })

  it('takes a workspace admin where the segments would change another flag; for others nothing is done', async () => {
    await production.put({ key: name('other'), rules: [{ segment_key: name('inner') }] })
    const before = await seen()
    for (const as of [people.editor.as, people.admin.as, people.asker_token]) {
      expect((await promote(as)).status).toBe(403)
    }
    expect(await seen()).toBe(before)
    expect((await segmentOf(production, name('inner'))).status).toBe(404)
    expect((await production.get(name('flag'))).status).toBe(404)
    expect((await promote('admin')).status).toBe(200)
    expect(await rulesOf(name('other'))).toEqual([RULE])
  })

  it('takes a workspace admin where the flag itself names them, and SDKs receive them though the promotion waits', async () => {
    await production.put({ key: name('flag'), is_enabled: true, rules: [{ segment_key: name('inner') }] })
    expect(await rulesOf(name('flag'))).toEqual([])
    expect((await promote(people.editor.as)).status).toBe(403)
    const asked = await promote('admin')
    expect(asked.status).toBe(202)
    expect(await rulesOf(name('flag'))).toEqual([RULE])
    expect((await production.get(name('flag'))).body).toMatchObject({
      is_enabled: true,
      rules: [{ segment_key: name('inner') }],
    })
    expect((await production.approve(asked.body.id, people.editor.as)).body).toMatchObject({
      is_enabled: false,
      rules: [{ segment_key: name('outer') }],
    })
  })
})

describe('with the scope patch', () => {
  it('segments are free, as the specification has it', async () => {
    await seedNested()
    await production.require({ require_approval: true, approval_scope: 'patch' })
    expect((await patchSegment(name('outer'), { rules: [] }, people.editor.as)).status).toBe(200)
    expect(await rulesOf(name('flag'))).toEqual([])
    await production.require({ require_approval: true, approval_scope: 'all' })
  })
})
