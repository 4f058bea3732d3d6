import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEnvironmentCalls, type EnvironmentCalls } from '../../governance/environment-calls.ts'
import { createPeople, type People } from '../../governance/people.ts'
import { type As, startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let people: People
let production: EnvironmentCalls
let development: EnvironmentCalls
let count = 0
/** Returns a name for this test's own flags and segments. */
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
/** Returns what SDKs receive, byte for byte. */
const seen = async (): Promise<string> => {
  const answer = await fetch(`${server.url}/flags/snapshot`, {
    headers: { authorization: `Bearer ${server.sdkKey}` },
  })
  return answer.text()
}
const rulesOf = async (key: string) =>
  JSON.parse(await seen()).find((flag: { key: string }) => flag.key === key)?.rules

/** Returns everyone who may write segments except workspace admins. */
const writers = () => [people.editor.as, people.admin.as, people.askerToken, people.key] as const

/** Creates a flag that names `outer`, which names `inner`. */
async function seedNested(): Promise<void> {
  await createSegment(production, name('inner'))
  await createSegment(production, name('outer'), [{ segment_key: name('inner') }])
  await production.put({ key: name('flag'), rules: [{ segment_key: name('outer') }] })
}

describe('segment writes that would change a guarded flag', () => {
  it.each<readonly [string, (as: As) => Promise<{ status: number }>]>([
    ['other rules', (as) => patchSegment(name('outer'), { rules: [{ ...RULE, values: ['free'] }] }, as)],
    ['no rules', (as) => patchSegment(name('outer'), { rules: null }, as)],
    ['other rules of a segment behind it', (as) => patchSegment(name('inner'), { rules: [] }, as)],
    ['another key', (as) => patchSegment(name('outer'), { key: name('renamed') }, as)],
    ['deleting it', (as) => deleteSegment(name('outer'), as)],
    ['deleting one behind it', (as) => deleteSegment(name('inner'), as)],
  ])('a segment write that changes a guarded flag is 403: %s', async (_, write) => {
    await seedNested()
    const before = await seen()
    for (const as of [...writers(), people.viewer.as, people.client_key]) {
      expect((await write(as)).status).toBe(403)
    }
    expect(await seen()).toBe(before)
    expect((await write('admin')).status).toBeLessThan(300)
    expect(await seen()).not.toBe(before)
  })

  it('a segment write that changes a guarded flag requires a workspace admin, and SDKs receive it', async () => {
    await seedNested()
    const other = { ...RULE, values: ['free'] }
    expect((await patchSegment(name('inner'), { rules: [other] }, 'admin')).status).toBe(200)
    expect(await rulesOf(name('flag'))).toEqual([other])
    expect((await patchSegment(name('outer'), { key: name('renamed') }, 'admin')).status).toBe(200)
    expect((await production.get(name('flag'))).body.rules).toEqual([{ segment_key: name('renamed') }])
    expect((await deleteSegment(name('renamed'), 'admin')).status).toBe(204)
    expect(await rulesOf(name('flag'))).toEqual([])
  })

  it('creating a segment that a guarded flag names requires a workspace admin', async () => {
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

describe('the preview of a segment write', () => {
  const preview = async (key: string, patch: object | null, as: As) => {
    const answer = await production.send('POST', '/segments/preview', as, { key, patch })
    expect(answer.status).toBe(200)
    return answer.body
  }
  const other = { rules: [{ ...RULE, values: ['free'] }] }

  it.each<readonly [string, string, object | null]>([
    ['other rules', 'outer', other],
    ['other rules of a segment behind it', 'inner', other],
    ['another key', 'outer', { key: 'renamed' }],
    ['deleting it', 'outer', null],
  ])('says that a change of a guarded flag needs a workspace admin: %s', async (_, which, patch) => {
    await seedNested()
    for (const as of writers()) {
      const { flag_count, problem } = await preview(name(which), patch, as)
      expect(flag_count).toBe(1)
      expect(problem).toContain(`This would change the flag "${name('flag')}"`)
    }
    expect(await preview(name(which), patch, 'admin')).not.toHaveProperty('problem')
  })

  it('says it of a pending change, also under another key, and not of what changes nothing', async () => {
    await createSegment(production, name('outer'))
    await production.put({ key: name('pending') })
    const body = { rules: [{ segment_key: name('outer') }] }
    expect((await production.patch(name('pending'), body, people.requester.as)).status).toBe(202)
    const as = people.editor.as
    for (const patch of [other, { key: name('renamed') }, null]) {
      expect((await preview(name('outer'), patch, as)).problem).toContain(name('pending'))
    }
    for (const patch of [{ name: 'Renamed' }, { rules: [RULE] }]) {
      expect(await preview(name('outer'), patch, as)).not.toHaveProperty('problem')
    }
  })

  it('says it of an archived flag', async () => {
    await createSegment(production, name('outer'))
    await production.put({ key: name('archived'), rules: [{ segment_key: name('outer') }] })
    await production.send('POST', `/flags/${name('archived')}/archive`, 'admin')
    const { problem } = await preview(name('outer'), null, people.editor.as)
    expect(problem).toContain(name('archived'))
  })
})

describe('segment writes that do not change a guarded flag', () => {
  it('name, description, equal rules, and an empty segment may be written without approval', async () => {
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

  it('segments that no guarded flag names may be created, patched, renamed and deleted', async () => {
    const as = people.editor.as
    const answers = [
      await createSegment(production, name('free'), [RULE], as),
      await patchSegment(name('free'), { rules: [] }, as),
      await patchSegment(name('free'), { key: name('freed') }, as),
      await deleteSegment(name('freed'), as),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204])
  })
})

/** Returns the content of `outer` and `inner` by their keys. */
const contentOf = async () =>
  Promise.all(
    ['outer', 'inner'].map(async (key) => {
      const { body, status } = await segmentOf(production, name(key))
      return { status, rules: body.rules }
    }),
  )

const ask = (patch: object, as: As = people.requester.as) => production.patch(name('other'), patch, as)
const OUTER = () => ({ rules: [{ segment_key: name('outer') }] })
const IN_A_YEAR = '9999-01-01T00:00:00Z'

/** Pending changes that will name `outer`, for a flag `other` without segments. */
const WAITING: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a patch that waits for approval', () => ask(OUTER())],
  ['a patch of rules and segments unknown so far', () => ask({ ...OUTER(), prerequisites: null, x: 1 })],
  [
    'a replacement that waits for approval',
    () => production.put({ key: name('other'), ...OUTER() }, people.requester.as),
  ],
  [
    'a promotion that waits for approval',
    async () => {
      await development.put({ key: name('other'), ...OUTER() })
      const body = { target_env_id: production.id }
      return development.send('POST', `/flags/${name('other')}/promote`, people.requester.as, body)
    },
  ],
  [
    'a restoration that waits for approval',
    async () => {
      const asked = await ask(OUTER())
      const approved = await production.approve(asked.body.id, people.editor.as)
      await production.approve((await ask({ rules: [] })).body.id, people.editor.as)
      const body = { revision: approved.body.revision }
      return production.send('POST', `/flags/${name('other')}/restore`, people.requester.as, body)
    },
  ],
  [
    'a scheduled change that waits for approval',
    () => {
      const body = { scheduled_at: IN_A_YEAR, patch: OUTER() }
      return production.send('POST', `/flags/${name('other')}/scheduled-changes`, people.requester.as, body)
    },
  ],
  [
    'a scheduled change that was approved and waits for its time',
    async () => {
      const body = { scheduled_at: IN_A_YEAR, patch: OUTER() }
      const path = `/flags/${name('other')}/scheduled-changes`
      const asked = await production.send('POST', path, people.requester.as, body)
      return production.approve(asked.body.id, people.editor.as)
    },
  ],
  [
    'a flag that is archived',
    async () => {
      await production.approve((await ask(OUTER())).body.id, people.editor.as)
      const asked = await production.send('POST', `/flags/${name('other')}/archive`, people.requester.as)
      return production.approve(asked.body.id, people.editor.as)
    },
  ],
]

describe.each(WAITING)('a segment named by %s', (_, seed) => {
  beforeEach(async () => {
    await createSegment(production, name('inner'))
    await createSegment(production, name('outer'), [{ segment_key: name('inner') }])
    await production.put({ key: name('other') })
    expect(await seed()).toMatchObject({ status: expect.any(Number) })
  })

  it.each<readonly [string, (as: As) => Promise<{ status: number }>]>([
    ['other rules', (as) => patchSegment(name('outer'), { rules: [RULE, RULE] }, as)],
    ['no rules', (as) => patchSegment(name('outer'), { rules: null }, as)],
    ['other rules of a segment behind it', (as) => patchSegment(name('inner'), { rules: [] }, as)],
    ['another key', (as) => patchSegment(name('outer'), { key: name('renamed') }, as)],
    ['another key and no rules', (as) => patchSegment(name('outer'), { key: name('new'), rules: [] }, as)],
    [
      'another key and no rules of one behind it',
      (as) => patchSegment(name('inner'), { key: name('new'), rules: [] }, as),
    ],
    ['deleting it', (as) => deleteSegment(name('outer'), as)],
    ['deleting one behind it', (as) => deleteSegment(name('inner'), as)],
  ])('a write of such a segment requires a workspace admin: %s', async (_, write) => {
    const before = await contentOf()
    for (const as of writers()) expect((await write(as)).status).toBe(403)
    expect(await contentOf()).toEqual(before)
    expect((await write('admin')).status).toBeLessThan(300)
    expect(await contentOf()).not.toEqual(before)
  })

  it('an editor may change name, description and equal rules of such a segment, and other segments freely', async () => {
    const as = people.editor.as
    const answers = [
      await patchSegment(name('outer'), { name: 'Renamed', description: 'For people' }, as),
      await patchSegment(name('inner'), { rules: [RULE] }, as),
      await createSegment(production, name('free'), [{ segment_key: name('inner') }], as),
      await patchSegment(name('free'), { rules: [], key: name('freed') }, as),
      await deleteSegment(name('freed'), as),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204])
  })

  it('creating such a segment again requires a workspace admin', async () => {
    expect((await deleteSegment(name('inner'), 'admin')).status).toBe(204)
    for (const as of writers()) {
      expect((await createSegment(production, name('inner'), [RULE], as)).status).toBe(403)
      expect((await createSegment(production, name('spare'), [RULE], as)).status).toBe(200)
      expect((await patchSegment(name('spare'), { key: name('inner') }, as)).status).toBe(403)
      expect((await deleteSegment(name('spare'), as)).status).toBe(204)
    }
    expect((await createSegment(production, name('inner'), [RULE])).status).toBe(200)
  })
})

describe('a segment named by something that does not wait any more', () => {
  it.each<readonly [string, (id: number) => Promise<unknown>]>([
    ['a rejected request', (id) => production.reject(id, people.editor.as)],
    ['a cancelled request', (id) => production.cancel(id, people.requester.as)],
  ])('a segment named by nothing pending any more can be written: %s', async (_, end) => {
    await createSegment(production, name('outer'))
    await production.put({ key: name('other') })
    const asked = await ask(OUTER())
    expect((await patchSegment(name('outer'), { rules: [] }, people.editor.as)).status).toBe(403)
    await end(asked.body.id)
    expect((await patchSegment(name('outer'), { rules: [] }, people.editor.as)).status).toBe(200)
  })
})

describe('renaming segments with guarded flags', () => {
  it('renaming cannot hide other rules behind the new key: 403, also through another segment', async () => {
    await seedNested()
    const before = await seen()
    for (const as of writers()) {
      const hidden = [
        await patchSegment(name('inner'), { key: name('new'), rules: [] }, as),
        await patchSegment(name('outer'), { key: name('new'), rules: [] }, as),
        await patchSegment(name('inner'), { key: name('new') }, as),
      ]
      expect(hidden.map(({ status }) => status)).toEqual([403, 403, 403])
    }
    expect(await seen()).toBe(before)
  })

  it('renaming to a key that something pending names requires a workspace admin', async () => {
    await createSegment(production, name('spare'))
    await production.put({ key: name('other') })
    await ask({ rules: [{ segment_key: name('ghost') }] })
    const rename = (as: As) => patchSegment(name('spare'), { key: name('ghost') }, as)
    expect((await rename(people.editor.as)).status).toBe(403)
    expect((await rename('admin')).status).toBe(200)
  })
})

describe('pending changes that became too large', () => {
  it('a pending change that became too large does not block segments that it does not name', async () => {
    await createSegment(production, name('outer'))
    await createSegment(production, name('inner'))
    await production.put({ key: name('other') })
    await ask({ rules: Array.from({ length: 3 }, () => ({ segment_key: name('outer') })) })
    const many = Array.from({ length: 4_000 }, () => RULE)
    expect((await patchSegment(name('outer'), { rules: many }, 'admin')).status).toBe(200)
    expect((await patchSegment(name('inner'), { rules: [] }, people.editor.as)).status).toBe(200)
    expect((await patchSegment(name('outer'), { rules: [] }, people.editor.as)).status).toBe(403)
  })
})

describe('promote with copy_segments', () => {
  const promote = (as: As) =>
    development.send('POST', `/flags/${name('flag')}/promote`, as, {
      target_env_id: production.id,
      copy_segments: true,
    })

  /** In Development: a flag, its segment, and one behind that. */
  beforeEach(async () => {
    await createSegment(development, name('inner'))
    await createSegment(development, name('outer'), [{ segment_key: name('inner') }])
    await development.put({ key: name('flag'), rules: [{ segment_key: name('outer') }] })
  })

  it('promoting a new flag with copy_segments is direct when no flag names the segments', async () => {
    expect((await promote(people.requester.as)).status).toBe(200)
    expect(await rulesOf(name('flag'))).toEqual([RULE])
  })

  it('promoting an existing flag with copy_segments is a request; segments without an effect are copied and audited', async () => {
    await production.put({ key: name('flag') })
    const before = await seen()
    const asked = await promote(people.requester.as)
    expect(asked.status).toBe(202)
    expect(await seen()).toBe(before)
    expect((await segmentOf(production, name('inner'))).status).toBe(200)
    const opened = (await production.audit(name('flag'))).at(-1)
    expect(opened?.metadata.copied_segments.sort()).toEqual([name('inner'), name('outer')])
    expect((await production.approve(asked.body.id, people.editor.as)).status).toBe(200)
    expect(await rulesOf(name('flag'))).toEqual([RULE])
  })

  it('promoting with segments that change another flag requires a workspace admin; others change nothing', async () => {
    await production.put({ key: name('other'), rules: [{ segment_key: name('inner') }] })
    const before = await seen()
    for (const as of [people.editor.as, people.admin.as, people.askerToken]) {
      expect((await promote(as)).status).toBe(403)
    }
    expect(await seen()).toBe(before)
    expect((await segmentOf(production, name('inner'))).status).toBe(404)
    expect((await production.get(name('flag'))).status).toBe(404)
    expect((await promote('admin')).status).toBe(200)
    expect(await rulesOf(name('other'))).toEqual([RULE])
  })

  it('promoting with segments that the flag names requires a workspace admin, and SDKs receive them', async () => {
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

describe('segment writes with the scope patch', () => {
  it('segment writes with the scope patch need no approval', async () => {
    await seedNested()
    await production.require({ require_approval: true, approval_scope: 'patch' })
    expect((await patchSegment(name('outer'), { rules: [] }, people.editor.as)).status).toBe(200)
    expect(await rulesOf(name('flag'))).toEqual([])
    await production.require({ require_approval: true, approval_scope: 'all' })
  })
})
