import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertProject } from '../../../src/structure/projects/index.ts'
import { createKeyCredentials, type KeyCredentials } from '../../../src/structure/sdk-keys/index.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { createManualClock, type ManualClock } from '../../harness/manual-clock.ts'
import { silentLog } from '../../harness/silent-log.ts'

const LEGACY = 'sk_live_legacy'
const MAX_STALE_SECONDS = 600

/** A poll of the changefeed that the test controls. */
interface Poll {
  confirmedAtMs: number
  access_revision: number
}

let database: TestDatabase
let clock: ManualClock
let poll: Poll
let credentials: KeyCredentials
let project: Awaited<ReturnType<typeof insertProject>>
let away: boolean
let queries: number

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.deleteFrom('projects').execute()
  clock = createManualClock()
  clock.advance(1_000_000)
  poll = { confirmedAtMs: clock.monotonicMs(), access_revision: 1 }
  project = await newProject('Shop', '2026-01-01T00:00:00.000Z')
  away = false
  queries = 0
  credentials = createCredentials()
})

const newProject = (name: string, now: string) =>
  database.db
    .transaction()
    .execute((tx) =>
      insertProject(tx, { name, now, newId: () => globalThis.crypto.randomUUID(), createdBy: 7 }),
    )

const createCredentials = (legacySdkKey: string | null = null) =>
  createKeyCredentials({
    db: database.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1
        if (away) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
        return node
      },
      transformResult: async ({ result }) => result,
    }),
    clock,
    log: silentLog(),
    changefeed: { confirmedAtMs: () => poll.confirmedAtMs, accessRevision: () => poll.access_revision },
    legacySdkKey,
    uses: { record: () => undefined },
    maxStaleAuthSeconds: MAX_STALE_SECONDS,
  })

const confirm = () => {
  poll.confirmedAtMs = clock.monotonicMs()
}

const removeKey = () => database.db.deleteFrom('sdk_keys').where('id', '=', project.sdk_key.id).execute()

const key = () => project.sdk_key.key

describe('finding the holder of a key', () => {
  it('find returns the key as it is stored', async () => {
    expect(await credentials.find(key(), 'anything')).toEqual({
      kind: 'sdk_key',
      key_id: project.sdk_key.id,
      name: 'Production',
      key_kind: 'server',
      project_id: project.id,
      environment_id: project.environments[0]?.id,
      mayManage: true,
      createdBy: 7,
      isSeeded: true,
    })
  })

  it.each(['', 'sk_live_', 'nonsense', 'ключ'])('find returns null for %j', async (unknown) => {
    expect(await credentials.find(unknown, 'read_flags')).toBeNull()
  })

  it('find returns null for the preview, the hash or another case of a key', async () => {
    const { key_hash } = await database.db.selectFrom('sdk_keys').select('key_hash').executeTakeFirstOrThrow()
    for (const unlike of [project.sdk_key.prefix, key_hash, key().toUpperCase(), `${key()} `]) {
      expect(await credentials.find(unlike, 'anything')).toBeNull()
    }
  })

  it('find queries once while the poll confirms', async () => {
    const first = await credentials.find(key(), 'anything')
    for (let second = 0; second < 10; second += 1) {
      clock.advance(1000)
      confirm()
      expect(await credentials.find(key(), 'anything')).toBe(first)
    }
    expect(queries).toBe(1)
  })

  it('find queries again once no poll has confirmed for two seconds', async () => {
    await credentials.find(key(), 'anything')
    clock.advance(2000)
    await removeKey()
    expect(await credentials.find(key(), 'anything')).toBeNull()
  })

  it('find queries each time before the first poll', async () => {
    poll.confirmedAtMs = Number.NEGATIVE_INFINITY
    await credentials.find(key(), 'anything')
    await credentials.find(key(), 'anything')
    expect(queries).toBe(2)
  })

  it('find queries again when the access revision has grown', async () => {
    await credentials.find(key(), 'anything')
    await removeKey()
    poll.access_revision += 1
    expect(await credentials.find(key(), 'anything')).toBeNull()
  })

  it('find queries again after clear', async () => {
    await credentials.find(key(), 'anything')
    await removeKey()
    credentials.clear()
    expect(await credentials.find(key(), 'anything')).toBeNull()
  })

  it('find returns the same object after clear when nothing about the key has changed', async () => {
    const first = await credentials.find(key(), 'anything')
    credentials.clear()
    expect(await credentials.find(key(), 'anything')).toBe(first)
  })

  it('find queries once for concurrent requests with the same key', async () => {
    const found = await Promise.all(Array.from({ length: 50 }, () => credentials.find(key(), 'read_flags')))
    expect(queries).toBe(1)
    expect(new Set(found).size).toBe(1)
  })
})

describe('a look-up during which rights change', () => {
  /** Locks the keys' table, so that a look-up waits until `release`. */
  const holdKeys = async () => {
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query('lock table sdk_keys in access exclusive mode')
    return {
      remove: () => client.query('delete from sdk_keys where id = $1', [project.sdk_key.id]),
      release: async () => {
        await client.query('commit')
        client.release()
      },
    }
  }

  it('a look-up during a change of rights is repeated, so that its result is never from before', async () => {
    const held = await holdKeys()
    const finding = credentials.find(key(), 'anything')
    credentials.clear()
    await held.release()
    await finding
    expect(queries).toBe(2)
  })

  it('a look-up is not shared with a request after a change of rights', async () => {
    const held = await holdKeys()
    const before = credentials.find(key(), 'anything')
    await held.remove()
    credentials.clear()
    const after = credentials.find(key(), 'anything')
    await held.release()
    expect(await after).toBeNull()
    expect(await before).toBeNull()
  })

  it('a look-up is not cached while rights keep changing', async () => {
    const restless = createKeyCredentials({
      db: database.db,
      clock,
      log: silentLog(),
      changefeed: {
        confirmedAtMs: () => poll.confirmedAtMs,
        accessRevision: () => {
          poll.access_revision += 1
          return poll.access_revision
        },
      },
      legacySdkKey: null,
      uses: { record: () => undefined },
      maxStaleAuthSeconds: MAX_STALE_SECONDS,
    })
    expect(await restless.find(key(), 'anything')).toMatchObject({ key_id: project.sdk_key.id })
    await removeKey()
    expect(await restless.find(key(), 'anything')).toBeNull()
  })
})

describe('SDK keys while the database is unavailable', () => {
  beforeEach(async () => {
    await credentials.find(key(), 'anything')
    confirm()
    away = true
    clock.advance(5000)
  })

  it('a known key reads flags without the database, as the same actor', async () => {
    away = false
    const before = await credentials.find(key(), 'read_flags')
    away = true
    expect(await credentials.find(key(), 'read_flags')).toBe(before)
  })

  it('a known key does nothing else without the database', async () => {
    await expect(credentials.find(key(), 'anything')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('an unknown key does not read flags without the database', async () => {
    await expect(credentials.find('sk_live_unknown', 'read_flags')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
  })

  it('a key that was revoked before does not read flags without the database', async () => {
    away = false
    await removeKey()
    expect(await credentials.find(key(), 'anything')).toBeNull()
    away = true
    await expect(credentials.find(key(), 'read_flags')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('a known key reads flags for MAX_STALE_AUTH_SECONDS after the last confirmation and no longer', async () => {
    clock.advance((MAX_STALE_SECONDS - 5) * 1000 - 1)
    expect(await credentials.find(key(), 'read_flags')).not.toBeNull()
    clock.advance(1)
    await expect(credentials.find(key(), 'read_flags')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('an error other than an unavailable database is not ignored', async () => {
    away = false
    await database.pool.query('alter table sdk_keys rename to elsewhere')
    try {
      await expect(credentials.find(key(), 'read_flags')).rejects.toMatchObject({ code: '42P01' })
    } finally {
      await database.pool.query('alter table elsewhere rename to sdk_keys')
    }
  })

  it('a known key reads flags also when the database does not respond', async () => {
    away = false
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query('lock table sdk_keys in access exclusive mode')
    expect(await credentials.find(key(), 'read_flags')).toMatchObject({ key_id: project.sdk_key.id })
    await client.query('rollback')
    client.release()
  })
})

describe('validIds', () => {
  it('validIds returns those of the ids that are not revoked', async () => {
    const other = await newProject('Other', '2026-02-01T00:00:00.000Z')
    expect(await credentials.validIds([project.sdk_key.id, other.sdk_key.id, 999_999])).toEqual(
      new Set([project.sdk_key.id, other.sdk_key.id]),
    )
    await removeKey()
    expect(await credentials.validIds([project.sdk_key.id, other.sdk_key.id])).toEqual(
      new Set([other.sdk_key.id]),
    )
  })

  it('validIds of no ids returns none', async () => {
    expect(await credentials.validIds([])).toEqual(new Set())
  })

  it('validIds confirms the known keys, so that they need no query each', async () => {
    await credentials.find(key(), 'anything')
    poll.access_revision += 1
    credentials.clear()
    await credentials.validIds([])
    expect(queries).toBe(2)
    await credentials.find(key(), 'anything')
    expect(queries).toBe(2)
  })

  it('validIds updates what known keys may do', async () => {
    const before = await credentials.find(key(), 'anything')
    const first = before?.environment_id ?? ''
    const environments = database.db.updateTable('environments').where('id', '=', first)
    for (const keys_may_manage of [false, true]) {
      await environments.set({ keys_may_manage }).execute()
      credentials.clear()
      await credentials.validIds([])
      expect(await credentials.find(key(), 'anything')).toMatchObject({ mayManage: keys_may_manage })
    }
  })

  it('validIds removes a revoked key, so that an outage does not bring it back', async () => {
    await credentials.find(key(), 'anything')
    await removeKey()
    credentials.clear()
    await credentials.validIds([])
    away = true
    await expect(credentials.find(key(), 'read_flags')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('the legacy SDK_KEY setting', () => {
  it('SDK_KEY belongs to the default environment of the oldest project, without a stored record', async () => {
    await newProject('Younger', '2026-02-01T00:00:00.000Z')
    expect(await createCredentials(LEGACY).find(LEGACY, 'anything')).toEqual({
      kind: 'sdk_key',
      key_id: null,
      name: 'SDK_KEY',
      key_kind: 'server',
      project_id: project.id,
      environment_id: project.environments[2]?.id,
      mayManage: true,
      createdBy: null,
      isSeeded: false,
    })
  })

  it('SDK_KEY is invalid while it is unset, and so is anything like it', async () => {
    expect(await credentials.find(LEGACY, 'anything')).toBeNull()
    expect(await createCredentials(LEGACY).find(`${LEGACY}x`, 'anything')).toBeNull()
  })

  it('SDK_KEY is invalid before there is a project', async () => {
    await database.db.deleteFrom('projects').execute()
    expect(await createCredentials(LEGACY).find(LEGACY, 'anything')).toBeNull()
  })

  it('a stored key of the same value has priority over SDK_KEY until it is revoked', async () => {
    const both = createCredentials(key())
    expect(await both.find(key(), 'anything')).toMatchObject({ key_id: project.sdk_key.id })
    await removeKey()
    both.clear()
    expect(await both.find(key(), 'anything')).toMatchObject({ key_id: null })
  })

  it('SDK_KEY reads flags while the database is unavailable, also after a change of rights', async () => {
    const legacy = createCredentials(LEGACY)
    const known = await legacy.find(LEGACY, 'read_flags')
    clock.advance(3_600_000)
    confirm()
    legacy.clear()
    away = true
    clock.advance(5000)
    expect(await legacy.find(LEGACY, 'read_flags')).toBe(known)
  })
})
