import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { createChoices, editRandomly } from '../../history/random-edits.ts'

const IS_FULL = process.env.BURGEE_FULL === '1'
/** `npm run full -- undo`: 10,000 sequences of random edits. */
const SEQUENCES = IS_FULL ? 10_000 : 25
const SEQUENCES_TIMEOUT_MS = IS_FULL ? 7_200_000 : 60_000

let server: TestServer
let environment: string
beforeAll(async () => {
  server = await startTestServer()
  environment = `/api/environments/${server.environments.production}`
})
afterAll(() => server.close())

const revert = async (body: object, status = 200) => {
  const answer = await server.call({ path: `${environment}/revert`, body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer.body
}
const put = (key: string, fields: object = {}) =>
  server.call({ path: `${environment}/flags`, body: { key, is_enabled: true, ...fields } })
const patch = (key: string, body: object) =>
  server.call({ path: `${environment}/flags/${key}`, method: 'PATCH', body })
const flag = async (key: string) => (await server.call({ path: `${environment}/flags/${key}` })).body

interface Entry {
  readonly id: number
  readonly before_data: object
  readonly after_data: object
}

async function entries(query = ''): Promise<readonly Entry[]> {
  return (await server.call({ path: `${environment}/audit?limit=20${query}` })).body
}
const lastId = async (query = '') => (await entries(query))[0]?.id ?? 0

const ASSIGNED = ['id', 'revision', 'created_at', 'updated_at', 'updated_by', 'warnings']

interface State {
  readonly [thing: string]: Readonly<Record<string, unknown>>
}

interface Thing {
  readonly key: string
}

const withoutAssigned = (thing: object) =>
  Object.fromEntries(Object.entries(thing).filter(([field]) => !ASSIGNED.includes(field)))

/** Returns flags and segments by key, without what the server assigns. */
async function stateOf(): Promise<State> {
  const flags = (await server.call({ path: `${environment}/flags` })).body
  const segments = (await server.call({ path: `${environment}/segments` })).body
  const named = (kind: string, things: readonly Thing[]) =>
    things.map((thing): [string, object] => [`${kind} ${thing.key}`, withoutAssigned(thing)])
  return Object.fromEntries([...named('flag', flags), ...named('segment', segments)]) as State
}

describe('an undo', () => {
  it('gives the changed fields back, keeps later changes of others, and can be undone', async () => {
    await put('one', { rollout_percentage: 10, tags: ['a', 'b'] })
    await patch('one', { rollout_percentage: 50, tags: ['b', 'c'] })
    const id = await lastId()
    await patch('one', { description: 'later', tags: ['b', 'c', 'd'] })
    const before = await flag('one')
    const planned = await revert({ audit_ids: [id], dry_run: true })
    expect(planned).toMatchObject({
      dry_run: true,
      changes: [{ resource: 'flag', key: 'one', action: 'update', audit_ids: [id] }],
    })
    expect(await flag('one')).toEqual(before)
    expect(planned.impact.flags).toMatchObject([{ flag_key: 'one', hash_share: 40 }])
    const quick = await revert({ audit_ids: [id], dry_run: true, impact: false })
    expect(quick.impact).toBeUndefined()
    expect(quick.changes).toEqual(planned.changes)
    await revert({ audit_ids: [id] })
    expect(await flag('one')).toMatchObject({
      rollout_percentage: 10,
      description: 'later',
      tags: ['b', 'd', 'a'],
    })
    const [entry] = await entries()
    expect(entry).toMatchObject({ action: 'restore', metadata: { origin: 'revert', reverts: [id] } })
    await revert({ audit_ids: [entry?.id] })
    expect(await flag('one')).toMatchObject({ rollout_percentage: 50, description: 'later' })
  })

  it('is refused with every field that was changed again, and changes nothing', async () => {
    await put('two')
    await patch('two', { rollout_percentage: 30, description: 'first' })
    const id = await lastId()
    await patch('two', { rollout_percentage: 60 })
    const latest = await lastId()
    const before = await flag('two')
    const { conflicts, error } = await revert({ audit_ids: [id] }, 409)
    expect(error).toContain('nothing was undone')
    expect(conflicts).toEqual([
      {
        ...{ audit_id: id, flag_key: 'two', path: '/rollout_percentage', expected: 30, actual: 60 },
        changed_by: { audit_id: latest, actor_email: 'ada@example.com', at: expect.any(String) },
      },
    ])
    expect(await flag('two')).toEqual(before)
    await revert({ audit_ids: [id, latest] })
    expect(await flag('two')).toMatchObject({ description: null, rollout_percentage: null })
  })

  it('of a creation archives the flag, and of a deletion creates it again', async () => {
    await put('three', { description: 'kept' })
    await revert({ audit_ids: [await lastId()] })
    expect((await flag('three')).archived_at).not.toBeNull()
    await server.call({ path: `${environment}/flags/three`, method: 'DELETE' })
    await revert({ audit_ids: [await lastId()] })
    expect(await flag('three')).toMatchObject({ description: 'kept', archived_at: expect.any(String) })
  })

  it('of a renamed segment renames it in all rules', async () => {
    const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'] }]
    await server.call({ path: `${environment}/segments`, body: { key: 'old', name: 'Old', rules } })
    await put('named', { rules: [{ segment_key: 'old' }] })
    await server.call({ path: `${environment}/segments/old`, method: 'PATCH', body: { key: 'new' } })
    expect((await flag('named')).rules).toEqual([{ segment_key: 'new' }])
    await revert({ audit_ids: [await lastId()] })
    expect((await flag('named')).rules).toEqual([{ segment_key: 'old' }])
  })

  it('is refused for unknown entries, and for those that changed no flag and no segment', async () => {
    expect((await revert({ audit_ids: [999_999] }, 404)).error).toContain('audit entry')
    const body = { scheduled_at: '2999-01-01T00:00:00Z', patch: { is_enabled: false } }
    await server.call({ path: `${environment}/flags/one/scheduled-changes`, body })
    expect((await revert({ audit_ids: [await lastId()] }, 422)).error).toContain('changed no flag')
    await revert({ audit_ids: [] }, 422)
    await revert({ audit_ids: Array.from({ length: 51 }, (_, at) => at + 1) }, 422)
    await revert({ audit_ids: [2 ** 53] }, 422)
  })

  it('is shown beside the change in the list of a window, for the project and the workspace', async () => {
    const from = new Date(Date.now() - 60 * 60_000).toISOString()
    const path = `/api/projects/${server.project.id}/incident?from=${from}`
    const { body, status } = await server.call({ path })
    expect(status).toBe(200)
    const renamed = body.find((one: { segment_key?: string }) => one.segment_key !== undefined)
    expect(renamed).toMatchObject({ flag_keys: ['named'], revisions: [expect.any(Number)] })
    const undo = body.find(({ origin }: { origin: string }) => origin === 'revert')
    const entry = body.find(({ undone_by }: { undone_by: number }) => undone_by === undo.audit_id)
    expect(entry.audit_id).toBeLessThan(undo.audit_id)
    const both = 'rollout_percentage, description'
    expect(body.findLast(({ summary }: { summary: string }) => summary === both)).toMatchObject({
      ...{
        action: 'update',
        flag_keys: ['two'],
        actor_email: 'ada@example.com',
        project_id: server.project.id,
      },
    })
    expect((await server.call({ path: `/api/incident?from=${from}` })).body).toEqual(body)
    expect((await server.call({ path: `${path}&limit=1` })).body).toEqual(body.slice(0, 1))
    const empty = `${path}&environment_id=${server.environments.development}`
    expect((await server.call({ path: empty })).body).toEqual([])
    expect((await server.call({ path: `${path}&to=2020-01-01T00:00:00Z` })).body).toEqual([])
    expect((await server.call({ path: '/api/incident?from=yesterday' })).status).toBe(422)
  })

  it('of a renamed segment leaves the rules that named its new key before', async () => {
    const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'] }]
    await server.call({ path: `${environment}/segments`, body: { key: 'early', name: 'Early', rules } })
    await put('names-early', { rules: [{ segment_key: 'early' }] })
    await put('names-none', { rules: [{ segment_key: 'late' }] })
    await server.call({ method: 'PATCH', path: `${environment}/segments/early`, body: { key: 'late' } })
    const id = await lastId()
    await put('names-later', { rules: [{ segment_key: 'late' }] })
    await revert({ audit_ids: [id] })
    const named = async (key: string) => (await flag(key)).rules[0].segment_key
    expect([await named('names-early'), await named('names-none'), await named('names-later')]).toEqual([
      'early',
      'late',
      'early',
    ])
    const undo = await lastId()
    await revert({ audit_ids: [undo] })
    expect([await named('names-early'), await named('names-none'), await named('names-later')]).toEqual([
      'late',
      'late',
      'late',
    ])
  })

  it('of a renamed segment names the segment that has its earlier key now', async () => {
    const rules = [{ attribute: 'plan', operator: 'equals', values: ['pro'] }]
    await server.call({ path: `${environment}/segments`, body: { key: 'left', name: 'Left', rules } })
    await server.call({ method: 'PATCH', path: `${environment}/segments/left`, body: { key: 'moved' } })
    const id = await lastId()
    await server.call({ path: `${environment}/segments`, body: { key: 'left', name: 'Other', rules } })
    const changed_by = { audit_id: await lastId(), actor_email: 'ada@example.com', at: expect.any(String) }
    const { conflicts } = await revert({ audit_ids: [id] }, 409)
    const found = { audit_id: id, segment_key: 'moved', path: '/key', expected: null, actual: 'left' }
    expect(conflicts).toEqual([{ ...found, changed_by }])
  })

  it('restores every field of the last edit, or keeps those of later ones, over random edits', {
    timeout: SEQUENCES_TIMEOUT_MS,
  }, async () => {
    environment = `/api/environments/${server.environments.staging}`
    const choices = createChoices(11)
    const done: number[] = []
    let undone = 0
    for (let round = 0; round < SEQUENCES; round += 1) {
      const [before, had] = [await stateOf(), await lastId()]
      await editRandomly(server, environment, choices)
      const id = await lastId()
      if (id === had) continue
      const after = await stateOf()
      const answer = await server.call({ path: `${environment}/revert`, body: { audit_ids: [id] } })
      // An edit that changed no field has nothing to give back.
      if (JSON.stringify(after) === JSON.stringify(before)) continue
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      undone += 1
      const created = Object.keys(after).filter((thing) => thing.startsWith('flag') && !(thing in before))
      const now = await stateOf()
      for (const thing of created) expect(now[thing]?.archived_at).not.toBeNull()
      expect(withoutThings(now, created)).toEqual(before)
      // The undo is undone, so that later rounds have something to undo.
      if (choices.below(2) === 0)
        await server.call({ path: `${environment}/revert`, body: { audit_ids: [await lastId()] } })
      done.push(id)
      const earlier = choices.of([id, ...done])
      await expectEarlierKept(earlier)
    }
    expect(undone).toBeGreaterThan(SEQUENCES / 3)
    if (IS_FULL)
      process.stdout.write(
        `${SEQUENCES} sequences, ${undone} undos of the last edit, ${done.length} of an earlier one\n`,
      )
  })

  /** Undoes an earlier entry: only the fields that it changed may change, and each to what it was before. */
  async function expectEarlierKept(id: number): Promise<void> {
    const entry = (await entries('&offset=0')).find((one) => one.id === id)
    const before = await stateOf()
    const { body, status } = await server.call({ path: `${environment}/revert`, body: { audit_ids: [id] } })
    const after = await stateOf()
    if (status === 409) expect(body.conflicts.length).toBeGreaterThan(0)
    if (status !== 200) return expect(after).toEqual(before)
    if (!entry) return
    const [from, left] = [entry.before_data, entry.after_data] as Readonly<Record<string, unknown>>[]
    for (const [thing, fields] of Object.entries(after)) {
      for (const [field, value] of Object.entries(fields)) {
        const was = before[thing]?.[field]
        if (JSON.stringify(value) === JSON.stringify(was) || before[thing] === undefined) continue
        // A renamed segment renames itself in rules.
        if (field === 'rules' || field === 'archived_at' || field === 'tags') continue
        expect(JSON.stringify(left?.[field]), `${thing} ${field}`).toBe(JSON.stringify(was))
        expect(JSON.stringify(from?.[field]), `${thing} ${field}`).toBe(JSON.stringify(value))
      }
    }
  }

  it('waits for approval under both scopes, and needs the permission for segments', async () => {
    environment = `/api/environments/${server.environments.development}`
    await put('guarded')
    await patch('guarded', { description: 'changed' })
    const id = await lastId('&flag_key=guarded')
    await server.call({ path: `${environment}/segments`, body: { key: 'seg', name: 'Seg', rules: [] } })
    const segmentId = await lastId()
    const editor = await addUser(server, {
      email: 'editor@example.com',
      memberOf: { [server.project.id]: 'editor' },
    })
    const viewer = await addUser(server, {
      email: 'viewer@example.com',
      memberOf: { [server.project.id]: 'viewer' },
    })
    const sent = (body: object, cookie: string) =>
      server.call({ path: `${environment}/revert`, body, as: { cookie } })
    expect((await sent({ audit_ids: [segmentId], dry_run: true }, editor.cookie)).status).toBe(200)
    expect((await sent({ audit_ids: [id] }, viewer.cookie)).status).toBe(403)
    const project = `/api/projects/${server.project.id}/environments/${server.environments.development}`
    let request = 0
    for (const approval_scope of ['all', 'patch']) {
      const body = { require_approval: true, approval_scope }
      expect((await server.call({ path: `${project}/require-approval`, body })).status).toBe(200)
      const requested = await sent({ audit_ids: [id] }, editor.cookie)
      expect(requested.status).toBe(202)
      expect(requested.body).toMatchObject({
        changes: [{ key: 'guarded', needs_approval: true }],
        change_requests: [{ id: expect.any(Number), flag_key: 'guarded' }],
      })
      expect((await flag('guarded')).description).toBe('changed')
      request = requested.body.change_requests[0].id
    }
    const approve = `${environment}/change-requests/${request}/approve`
    expect((await server.call({ path: approve, method: 'POST' })).status).toBe(200)
    expect((await flag('guarded')).description).toBeNull()
  })
})

const withoutThings = (state: State, things: readonly string[]): State =>
  Object.fromEntries(Object.entries(state).filter(([thing]) => !things.includes(thing)))
