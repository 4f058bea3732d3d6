import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Changefeed, createChangefeed, type StoredChange } from '../../../src/changes/index.ts'
import type { SdkKeyActor } from '../../../src/kernel/actor.ts'
import type { Bus } from '../../../src/platform/bus/bus.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createKeyedQueue } from '../../../src/platform/concurrency/keyed-queue.ts'
import { insertProject } from '../../../src/structure/projects/index.ts'
import type { FlagOperation } from '../../../src/targeting/flag-model/flag-operation.ts'
import { type FlagWriteDeps, operateOnFlag } from '../../../src/targeting/flag-operations/operate-on-flag.ts'
import { aKeyActor } from '../../harness/a-key-actor.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { silentLog } from '../../harness/silent-log.ts'

/** A bus that loses everything: what still arrives came through the poll. */
const deadBus: Bus = {
  publish: () => undefined,
  subscribe: () => () => undefined,
  close: async () => undefined,
}

let database: TestDatabase
let environment_id: string
let actor: SdkKeyActor

beforeAll(async () => {
  database = await createTestDatabase({ max_connections: 20 })
})
afterAll(() => database.drop())

beforeEach(async () => {
  const now = new Date().toISOString()
  const project = await database.db
    .transaction()
    .execute((tx) =>
      insertProject(tx, { name: `Project ${randomUUID()}`, now, newId: randomUUID, createdBy: null }),
    )
  environment_id = project.environments[0]?.id ?? ''
  actor = aKeyActor({ name: 'ci', project_id: project.id, environment_id })
})

/** Creates the write path of one instance. */
const writer = (): FlagWriteDeps => ({
  db: database.db,
  bus: deadBus,
  clock: systemClock,
  queue: createKeyedQueue(),
  onCommitted: async () => undefined,
  onEvents: () => undefined,
  openChangeRequest: () => Promise.reject(new Error('nothing here needs approval')),
  isNamedByWaiting: async () => false,
  onFlagDeleted: async () => undefined,
})
const operate = (deps: FlagWriteDeps, key: string, operation: FlagOperation, at = environment_id) =>
  operateOnFlag(deps, actor, { environment_id: at, key, operation, preconditions: {} })
const put = (deps: FlagWriteDeps, key: string, more: object = {}) =>
  operate(deps, key, { operation: 'replace', flag: { key, is_enabled: true, ...more } })
const patch = (deps: FlagWriteDeps, key: string, body: object) =>
  operate(deps, key, { operation: 'patch', patch: body })
const remove = (deps: FlagWriteDeps, key: string) => operate(deps, key, { operation: 'delete' })

const changeRows = () =>
  database.db
    .selectFrom('environment_changes')
    .select(['revision', 'kind', 'flag_key'])
    .where('environment_id', '=', environment_id)
    .orderBy('revision')
    .execute()
const auditRows = () =>
  database.db
    .selectFrom('audit_log')
    .selectAll()
    .where('environment_id', '=', environment_id)
    .where('flag_key', '<>', '')
    .orderBy('id')
    .execute()

describe('an environment write', () => {
  it('a write of an environment stores revision, change, audit entry and event together', async () => {
    const deps = writer()
    await put(deps, 'f')
    await patch(deps, 'f', { is_enabled: false })
    await remove(deps, 'f')
    expect(await changeRows()).toEqual([
      { revision: 1, kind: 'upsert', flag_key: 'f' },
      { revision: 2, kind: 'upsert', flag_key: 'f' },
      { revision: 3, kind: 'delete', flag_key: 'f' },
    ])
    const entries = await auditRows()
    expect(entries.map(({ action, actor_email, metadata }) => [action, actor_email, metadata])).toEqual(
      ['create', 'update', 'delete'].map((action) => [
        action,
        'sdk-key:ci',
        { origin: 'direct', credential: { kind: 'sdk_key', id: 1 } },
      ]),
    )
    expect(entries.map(({ before_data }) => before_data)).toEqual([
      null,
      entries[0]?.after_data,
      entries[1]?.after_data,
    ])
    expect(entries[2]?.after_data).toBeNull()
    const events = await database.db
      .selectFrom('domain_events')
      .selectAll()
      .where('environment_id', '=', environment_id)
      .orderBy('id')
      .execute()
    expect(events.map(({ type }) => type)).toEqual(['flag.created', 'flag.updated', 'flag.deleted'])
    expect(events[1]?.data).toMatchObject({
      flag_key: 'f',
      actor_email: 'sdk-key:ci',
      environment: { id: environment_id, slug: 'production' },
      flag: { is_enabled: false },
      previous: { is_enabled: true },
    })
  })

  it('a refused write of an environment stores nothing', async () => {
    const deps = writer()
    await put(deps, 'f')
    await expect(patch(deps, 'f', { default_value: 'text' })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(patch(deps, 'missing', {})).rejects.toMatchObject({ kind: 'not_found' })
    expect(await changeRows()).toHaveLength(1)
    expect(await auditRows()).toHaveLength(1)
  })

  it('writes get revisions in commit order and without gaps, however many instances write', async () => {
    const instances = [writer(), writer(), writer()]
    const first = instances[0] ?? writer()
    await put(first, 'shared', { flag_type: 'json', default_value: {} })
    const seen: number[] = []
    let last = 0
    let isWriting = true
    const reading = (async () => {
      while (isWriting) {
        const { rows } = await sql<{ revision: number }>`
          select revision from environment_changes
          where environment_id = ${environment_id}::uuid and revision > ${last} order by revision`.execute(
          database.db,
        )
        seen.push(...rows.map(({ revision }) => revision))
        last = seen.at(-1) ?? last
      }
    })()
    await Promise.all(
      instances.flatMap((deps, at) =>
        Array.from({ length: 40 }, (_, nth) =>
          patch(deps, 'shared', { default_value: { [`${at}-${nth}`]: 1 } }),
        ),
      ),
    )
    isWriting = false
    await reading
    expect(seen.slice(0, 1)).toEqual([1])
    expect(seen).toEqual(seen.map((_, index) => index + 1))
    const revisions = (await changeRows()).map(({ revision }) => revision)
    expect(revisions).toEqual(Array.from({ length: 121 }, (_, index) => index + 1))
    const entries = await auditRows()
    expect(entries.slice(1).map(({ before_data }) => before_data)).toEqual(
      entries.slice(0, -1).map(({ after_data }) => after_data),
    )
  })

  it('a write lets writes of other environments pass', async () => {
    const deps = writer()
    const held = await database.pool.connect()
    await held.query('begin')
    await held.query('select 1 from environments where id = $1 for no key update', [environment_id])
    const waiting = put(deps, 'waits')
    const { rows } = await database.pool.query('select id from environments where project_id <> $1 limit 1', [
      actor.project_id,
    ])
    const elsewhere = rows[0].id
    const flag = { key: 'passes', is_enabled: true }
    await operate(deps, 'passes', { operation: 'replace', flag }, elsewhere)
    await held.query('rollback')
    held.release()
    await expect(waiting).resolves.toMatchObject({ flag: { key: 'waits' } })
  })
})

describe('the audit log', () => {
  it.each([
    ['update', "update audit_log set action = 'x'"],
    ['delete', 'delete from audit_log'],
    ['truncate', 'truncate audit_log'],
  ])('the database refuses %s on the audit log', async (_name, statement) => {
    await put(writer(), 'f')
    await expect(database.pool.query(statement)).rejects.toThrow('append-only')
  })
})

describe('the changefeed', () => {
  let feed: Changefeed
  let published: StoredChange[]
  let lost: string[]
  let gone: string[]

  beforeEach(async () => {
    published = []
    lost = []
    gone = []
    feed = createChangefeed({ db: database.db, bus: deadBus, clock: systemClock, log: silentLog() })
    await feed.start({
      onChanges: (_environment, changes) => published.push(...changes),
      onGap: (environment) => lost.push(environment),
      onDeleted: (environment) => gone.push(environment),
      onAccessChanged: () => undefined,
      onGroupsChanged: () => undefined,
    })
    return () => feed.close()
  })

  it("the changefeed's poll reads what the bus lost, in order", async () => {
    feed.follow(environment_id, 0)
    const deps = writer()
    await put(deps, 'a')
    await put(deps, 'b')
    await remove(deps, 'a')
    await eventually(() => published.length === 3)
    expect(published.map(({ flag_key, kind, revision }) => `${revision} ${kind} ${flag_key}`)).toEqual([
      '1 upsert a',
      '2 upsert b',
      '3 delete a',
    ])
  })

  it('the changefeed delivers an own commit at once, and never twice', async () => {
    feed.follow(environment_id, 0)
    const deps: FlagWriteDeps = { ...writer(), onCommitted: feed.committed }
    await put(deps, 'a')
    expect(published.map(({ revision }) => revision)).toEqual([1])
    await Promise.all([put(deps, 'b'), put(writer(), 'c'), put(deps, 'd'), put(writer(), 'e')])
    await eventually(() => published.length === 5)
    expect(published.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5])
  })

  it('the changefeed reports that an environment must be loaded again when its log has a gap', async () => {
    const deps = writer()
    await put(deps, 'a')
    await put(deps, 'b')
    await database.pool.query('delete from environment_changes where environment_id = $1 and revision = 1', [
      environment_id,
    ])
    feed.follow(environment_id, 0)
    await eventually(() => lost.includes(environment_id))
    expect(published).toEqual([])
  })

  it('the changefeed reports a revision that has gone back, as after restoring a backup', async () => {
    feed.follow(environment_id, 7)
    await eventually(() => lost.includes(environment_id))
  })

  it('the changefeed reports that an environment was deleted', async () => {
    feed.follow(environment_id, 0)
    await database.pool.query('delete from environments where id = $1', [environment_id])
    await eventually(() => gone.includes(environment_id))
  })
})
