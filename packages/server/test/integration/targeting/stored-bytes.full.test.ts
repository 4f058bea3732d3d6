import { createHash, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, startTestServer, type TestServer } from '../../harness/start-test-server.ts'
import { stateOf } from '../../harness/state-of.ts'

const MIB = 1024 * 1024
const QUOTA_MB = 8
/** Returns characters that compression hardly shortens. */
const noise = (bytes: number) => randomBytes(bytes / 2).toString('hex')

/** Returns a digest of the JSON text, so that a failure does not print megabytes. */
const digest = (value: object) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

let server: TestServer
let environment_id: string
let flags: string

beforeAll(async () => {
  server = await startTestServer({ env: { ENVIRONMENT_QUOTA_MB: String(QUOTA_MB) } })
  environment_id = server.environments.staging
  flags = `/api/environments/${environment_id}/flags`
})
afterAll(() => server.close())

const put = (key: string, default_value: string, at = flags): Promise<Answer> =>
  server.call({ path: at, body: { key, is_enabled: true, flag_type: 'string', default_value } })
const patch = (key: string, body: object, at = flags): Promise<Answer> =>
  server.call({ method: 'PATCH', path: `${at}/${key}`, body })

async function databaseBytes(): Promise<number> {
  const { rows } = await server.database.pool.query(
    'select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c where relkind = $1 and relnamespace = $2::regnamespace',
    ['r', 'public'],
  )
  return Number(rows[0].bytes)
}

async function countedBytes(id = environment_id): Promise<number> {
  const { rows } = await server.database.pool.query('select stored_bytes from environments where id = $1', [
    id,
  ])
  return Number(rows[0].stored_bytes)
}

/** Returns the stored bytes, with those that are counted and not added yet. */
async function storedBytes(id: string): Promise<number> {
  const { rows } = await server.database.pool.query(
    'select coalesce(sum(bytes), 0) as bytes from stored_bytes_changes where environment_id = $1',
    [id],
  )
  return Number(rows[0].bytes) + (await countedBytes(id))
}

describe('storing large flags', () => {
  it('a small change of a large flag stores little, and responses are complete and equal to the byte', async () => {
    const text = `{"ключ": "${noise(600_000)}\\u0000"}`
    const created = await put('large', text)
    const before = await databaseBytes()
    const written: Record<string, unknown>[] = [created.body]
    for (let step = 0; step < 20; step += 1) {
      const { body, status } = await patch('large', {
        is_enabled: step % 2 === 0,
        description: `Step ${step}`,
      })
      expect(status).toBe(200)
      written.push(body)
    }
    // As whole texts this would be more than 60 MB.
    expect((await databaseBytes()) - before).toBeLessThan(4 * MIB)

    const audit = await server.call({
      path: `/api/environments/${environment_id}/audit?flag_key=large&limit=5`,
    })
    const history = await server.call({ path: `${flags}/large/history?limit=5` })
    const newest = written.toReversed().map((flag) => digest(stateOf(flag)))
    const after = audit.body.map(({ after_data }: { after_data: object }) => digest(after_data))
    const earlier = audit.body.map(({ before_data }: { before_data: object }) => digest(before_data))
    expect(after).toEqual(newest.slice(0, 5))
    expect(earlier).toEqual(newest.slice(1, 6))
    const shown = history.body.map(({ flag }: { flag: object }) => ({ flag }))
    const wanted = audit.body.map(({ after_data: flag }: { after_data: object }) => ({ flag }))
    expect(isDeepStrictEqual(shown, wanted)).toBe(true)
  })

  it('a large flag reaches other instances and receivers unchanged', async () => {
    const { pool } = server.database
    const { rows } = await pool.query(
      `select (chunked_text(chunk_month, environment_id, flag_chunks)::json ->> 'default_value') as text from environment_changes
       where environment_id = $1 and flag_chunks is not null order by revision desc limit 1`,
      [environment_id],
    )
    const { body } = await server.call({ path: `${flags}/large` })
    expect(rows[0].text).toBe(body.default_value)
    const second = await startTestServer({ database: server.database })
    try {
      const seen = await second.call({ path: `${flags}/large` })
      expect(seen.body).toEqual(body)
    } finally {
      await second.close()
    }
  })

  it('a large flag can be restored from a revision of the history', async () => {
    const history = await server.call({ path: `${flags}/large/history?limit=3` })
    const { flag, revision } = history.body[2]
    const restored = await server.call({ path: `${flags}/large/restore`, body: { revision } })
    expect(restored.body).toMatchObject({ default_value: flag.default_value, description: flag.description })
  })

  it('chunks cannot be changed or removed, one by one or together', async () => {
    const { pool } = server.database
    for (const statement of [
      "update audit_chunks set content = ''",
      'delete from audit_chunks',
      'truncate audit_chunks',
      'truncate audit_log_until_upgrade',
    ])
      await expect(pool.query(statement)).rejects.toThrow('append-only')
  })

  it('deleting a flag frees its bytes, but not those of the audit log', async () => {
    const at = `/api/environments/${server.environments.development}/flags`
    const id = server.environments.development
    const empty = await countedBytes(id)
    await put('counted', noise(400_000), at)
    const withFlag = await countedBytes(id)
    // The flag, and its state in the audit log.
    expect(withFlag - empty).toBeGreaterThan(800_000)
    await server.call({ method: 'DELETE', path: `${at}/counted` })
    const without = await countedBytes(id)
    expect(withFlag - without).toBeGreaterThan(250_000)
    expect(without - empty).toBeGreaterThan(400_000)
  })
})

describe('the quota of an environment', () => {
  const key = 'switch'
  let at: string

  beforeAll(async () => {
    const { production } = server.environments
    at = `/api/environments/${production}/flags`
    expect((await put(key, noise(900_000), at)).status).toBe(200)
    await server.database.pool.query('update environments set stored_bytes = $2 where id = $1', [
      production,
      QUOTA_MB * MIB,
    ])
  })

  it('the quota refuses writes that add data, with the figures and an instruction', async () => {
    const { body, status } = await put('more', noise(50_000), at)
    expect(status).toBe(422)
    expect(body.error).toMatch(
      /would store 9 MB; its quota is 8 MB\..*ENVIRONMENT_QUOTA_MB.*AUDIT_RETENTION_DAYS/s,
    )
    expect((await server.call({ path: `${at}/more` })).status).toBe(404)
  })

  it('the quota refuses segments, schedules and requests too', async () => {
    const environment = at.replace('/flags', '')
    const rules = [{ attribute: 'a', operator: 'equals', values: [noise(50_000)] }]
    const segment = await server.call({
      path: `${environment}/segments`,
      body: { key: 's', name: 'S', rules },
    })
    expect(segment.status).toBe(422)
    const body = { scheduled_at: '2099-01-01T00:00:00Z', patch: { description: noise(50_000) } }
    const schedule = await server.call({ path: `${at}/${key}/scheduled-changes`, body })
    expect(schedule.status).toBe(422)
  })

  it('the quota never prevents disabling, archiving or deleting a flag', async () => {
    expect((await patch(key, { is_enabled: false }, at)).status).toBe(200)
    expect((await patch(key, { rollout_percentage: 0 }, at)).status).toBe(200)
    expect((await server.call({ method: 'POST', path: `${at}/${key}/archive` })).status).toBe(200)
    expect((await server.call({ method: 'DELETE', path: `${at}/${key}` })).status).toBe(204)
  })

  it('the quota ends also for writes that do not add data, but not for disabling, archiving and deleting', async () => {
    const { production } = server.environments
    for (const last of ['last', 'second']) expect((await put(last, noise(20_000), at)).status).toBe(200)
    await server.database.pool.query('update environments set stored_bytes = $2 where id = $1', [
      production,
      (QUOTA_MB + 640) * MIB,
    ])
    const refused = await patch('last', { description: 'x' }, at)
    expect(refused.status).toBe(422)
    expect(refused.body.error).toContain('can still be disabled, archived and deleted')
    expect((await patch('last', { is_enabled: false, description: noise(5_000) }, at)).status).toBe(422)
    expect((await patch('last', { is_enabled: false }, at)).status).toBe(200)
    expect((await patch('last', { is_enabled: true }, at)).status).toBe(422)
    const runBulk = async (action: string, keys: string[]) => {
      const { body } = await server.call({ path: `${at}/bulk`, body: { keys, action } })
      return body.results.map(({ status }: { status: number }) => status)
    }
    expect(await runBulk('disable', ['second'])).toEqual([200])
    expect(await runBulk('archive', ['last', 'second'])).toEqual([200, 200])
    expect(await runBulk('delete', ['last', 'second'])).toEqual([204, 204])
  })

  it('the quota counts small entries of any kind, however many, and refuses them beyond it', async () => {
    const { development } = server.environments
    const hooks = `/api/environments/${development}/webhooks`
    const url = 'https://example.com/hook'
    const created = await server.call({ path: hooks, body: { name: 'Hook', url, events: ['flag.updated'] } })
    expect(created.status).toBe(200)
    const path = `${hooks}/${created.body.id}`
    const rename = (step: number) =>
      server.call({ method: 'PATCH', path, body: { url: `${url}/${step}/${'x'.repeat(1_500)}` } })
    const before = await storedBytes(development)
    for (let step = 0; step < 60; step += 1) expect((await rename(step)).status).toBe(200)
    expect((await storedBytes(development)) - before).toBeGreaterThan(60 * 1_000)
    const waiting = await server.database.pool.query('select count(*)::int as n from stored_bytes_changes')
    expect(waiting.rows[0].n).toBeLessThan(50)
    await server.database.pool.query('update environments set stored_bytes = $2 where id = $1', [
      development,
      (QUOTA_MB + 640) * MIB,
    ])
    expect((await rename(1_000)).status).toBe(422)
    expect((await server.call({ method: 'DELETE', path })).status).toBe(204)
  })

  it('the quota counts entries during a write of the environment', async () => {
    const { staging } = server.environments
    const writer = await server.database.pool.connect()
    try {
      await writer.query('begin')
      await writer.query('select from environments where id = $1 for no key update', [staging])
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          server.call({
            path: `/api/environments/${staging}/webhooks`,
            // An enabled one waits for the write, so that it misses no event.
            body: {
              ...{ name: `Hook ${n}`, url: 'https://example.com/hook', events: ['flag.updated'] },
              enabled: false,
            },
          }),
        ),
      )
      expect(answers.map(({ status }) => status).every((status) => status === 200)).toBe(true)
    } finally {
      await writer.query('rollback')
      writer.release()
    }
  })
})
