import { createHash } from 'node:crypto'
import type { AuditVerification } from '@burgee/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser } from '../../harness/add-user.ts'
import { eventually } from '../../harness/eventually.ts'
import { startReceiver } from '../../harness/start-receiver.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

let server: TestServer
let chain: string
const LARGE = Array.from({ length: 250 }, (_, nth) => `${nth} Ænglisc 漢字 ${'x'.repeat(70)}`)

beforeAll(async () => {
  server = await startTestServer()
  chain = server.environments.production
  await putFlags(chain, 'flag', 12)
  const rules = [{ attribute: 'name', operator: 'equals', values: LARGE }]
  const path = `/api/environments/${chain}/flags`
  expect((await server.call({ path, body: { key: 'large', is_enabled: true, rules } })).body).toMatchObject({
    key: 'large',
  })
  const patch = { method: 'PATCH', path: `${path}/large`, body: { description: 'x' } } as const
  expect((await server.call(patch)).status).toBe(200)
})
afterAll(() => server.close())

async function putFlags(env: string, name: string, count: number) {
  for (let nth = 0; nth < count; nth += 1) {
    const path = `/api/environments/${env}/flags`
    expect((await server.call({ path, body: { key: `${name}-${nth}`, is_enabled: true } })).status).toBe(200)
  }
}

async function verify(query = ''): Promise<AuditVerification[]> {
  const response = await fetch(`${server.url}/api/audit/verify${query}`, {
    headers: { cookie: server.cookie },
  })
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  const lines = (await response.text()).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}
async function verifyProject(id: string, query = ''): Promise<AuditVerification[]> {
  const path = `/api/projects/${id}/audit/verify${query}`
  const response = await fetch(server.url + path, { headers: { cookie: server.cookie } })
  const lines = (await response.text()).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}
const firstBad = async (query = '') => (await verify(query)).find(({ ok }) => !ok)?.first_bad

/** Runs statements with the rights of the owner and without triggers, then undoes them. */
async function tampered<T>(statements: readonly string[], look: () => Promise<T>): Promise<T> {
  const { pool } = server.database
  const tables = ['audit_log', 'audit_chunks', 'audit_chains']
  const run = async (texts: readonly string[]) => {
    const client = await pool.connect()
    try {
      await client.query('set session_replication_role = replica')
      for (const text of texts) await client.query(text)
      await client.query('set session_replication_role = origin')
    } finally {
      client.release()
    }
  }
  await run(tables.map((table) => `create table saved_${table} as select * from ${table}`))
  await run(statements)
  try {
    return await look()
  } finally {
    await run(
      tables.flatMap((table) => [
        `delete from ${table}`,
        `insert into ${table} select * from saved_${table}`,
        `drop table saved_${table}`,
      ]),
    )
  }
}

const idOf = async (seq: number, of = chain): Promise<number> => {
  const { rows } = await server.database.pool.query(
    'select id from audit_log where chain = $1 and seq = $2',
    [of, seq],
  )
  return Number(rows[0].id)
}

async function loggedIn(count: number): Promise<readonly string[]> {
  const users = Array.from({ length: count }, (_, nth) =>
    addUser(server, { email: `user-${nth}@example.com` }),
  )
  return (await Promise.all(users)).map(({ cookie }) => cookie)
}

describe('the chains of the audit log', () => {
  it('an untouched log verifies, chain by chain, and from any entry on', async () => {
    const lines = await verify()
    expect(lines.map((line) => line.chain).sort()).toEqual(
      [...Object.values(server.environments), 'workspace'].sort(),
    )
    expect(lines.filter(({ ok }) => !ok)).toEqual([])
    expect(lines.find((line) => line.chain === chain)?.entries).toBe(14 + (await extraEntries()))
    const [line] = await verify(`?chain=${chain}&from_seq=5`)
    expect(line?.entries).toBe((line?.head.seq ?? 0) - 4)
  })

  const extraEntries = async () => {
    const { rows } = await server.database.pool.query(
      "select count(*)::int as n from audit_log where chain = $1 and flag_key = ''",
      [chain],
    )
    return rows[0].n
  }

  it('psql can compute a hash with nothing but sha256, from the columns as they are stored', async () => {
    const { rows } = await server.database.pool.query(
      `select entry.*, before.hash as previous, entry.before_data::text as b, entry.after_data::text as a, entry.metadata::text as m,
        to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as t
      from audit_log entry join audit_log before on before.chain = entry.chain and before.seq = entry.seq - 1
      where entry.chain = $1 and entry.seq = 3`,
      [chain],
    )
    const [
      { a, action, actor_email, b, environment_id, flag_key, hash, id, m, previous, project_id, seq, t },
    ] = rows
    const fields = [id, chain, seq, project_id, environment_id, flag_key, actor_email, action, b, a, m, t]
    const sum = createHash('sha256').update(previous)
    for (const field of fields) {
      const length = Buffer.alloc(4)
      const text = field === null ? null : Buffer.from(String(field))
      length.writeUInt32BE(text?.length ?? 0xffffffff)
      sum.update(length).update(text ?? '')
    }
    expect(sum.digest('hex')).toBe(hash.toString('hex'))
  })

  it.each([
    ['flag_key', "'other'"],
    ['actor_email', "'eve@example.com'"],
    ['action', "'delete'"],
    ['project_id', 'gen_random_uuid()'],
    ['environment_id', 'gen_random_uuid()'],
    ['before_data', "'{}'"],
    ['after_data', "(after_data::text || ' ')::json"],
    ['metadata', "(metadata::text || ' ')::json"],
    ['created_at', "created_at + interval '1 microsecond'"],
    ['hash', 'set_byte(hash, 31, get_byte(hash, 31) # 1)'],
    ['id', 'id + 1000000'],
  ])('a changed %s is found at its entry', async (column, value) => {
    const id = await idOf(6)
    const sql = `update audit_log set ${column} = ${value} where id = ${id}`
    const wanted = column === 'id' ? id + 1_000_000 : id
    expect(await tampered([sql], () => firstBad())).toEqual({ id: wanted, seq: 6, problem: 'changed' })
  })

  it('a changed and a missing chunk of a large text are found at their entry', async () => {
    const { rows } = await server.database.pool.query(
      `select id, seq from audit_log where chain = $1 and after_chunks is not null order by seq`,
      [chain],
    )
    const bad = { id: Number(rows[0].id), seq: Number(rows[0].seq), problem: 'changed' }
    for (const sql of [
      'update audit_chunks set content = set_byte(content, 5, get_byte(content, 5) # 1)',
      "update audit_chunks set content = '\\xff'",
      'delete from audit_chunks',
    ])
      expect(await tampered([sql], () => firstBad())).toEqual(bad)
  })

  it('a removed entry, swapped entries, an inserted one and a cut tail are found', async () => {
    const [fifth, sixth, seventh] = [await idOf(5), await idOf(6), await idOf(7)]
    expect(await tampered([`delete from audit_log where id = ${sixth}`], () => firstBad())).toEqual({
      ...{ id: seventh, seq: 6, problem: 'missing' },
    })
    const swap = `update audit_log set seq = case seq when 5 then 6 else 5 end where chain = '${chain}' and seq in (5, 6)`
    expect(await tampered([swap], () => firstBad())).toEqual({ id: sixth, seq: 5, problem: 'changed' })
    const copy = `insert into audit_log (chain, seq, hash, environment_id, actor_email, action, created_at)
      select chain, seq, hash, environment_id, 'eve', action, created_at from audit_log where id = ${fifth}`
    expect(await tampered([copy], () => firstBad())).toMatchObject({ seq: 5, problem: 'inserted' })
    const loose = `insert into audit_log (environment_id, actor_email, action, created_at) values ('${chain}', 'eve', 'update', now())`
    expect(await tampered([loose], () => firstBad())).toMatchObject({ seq: null, problem: 'inserted' })
    const cut = `delete from audit_log where chain = '${chain}' and seq > 9`
    expect(await tampered([cut], () => firstBad())).toEqual({ id: null, seq: 10, problem: 'truncated' })
    const lost = [`delete from audit_chains where chain = '${chain}'`]
    expect(await tampered(lost, () => firstBad())).toMatchObject({ problem: 'truncated' })
  })

  it('entries of before the chains are sealed: one that is changed does not fit', async () => {
    const { pool } = server.database
    const { rows } = await pool.query('select count(*)::int as n from audit_log where seq is null')
    expect(rows[0].n).toBe(0)
    const zeros = `update audit_chains set genesis = sha256('x') where chain = '${chain}'`
    expect(await tampered([zeros], () => firstBad())).toMatchObject({ problem: 'genesis' })
  })

  it('a rewritten chain verifies in itself, and does not lead to its anchor', async () => {
    const heads = await server.call({ path: `/api/audit/heads?project_id=${server.project.id}` })
    const anchor = heads.body.find((head: { chain: string }) => head.chain === chain)
    const rewrite = `do $$ declare e record; h bytea; begin
        select genesis into h from audit_chains where chain = '${chain}';
        update audit_log set actor_email = 'eve' where chain = '${chain}' and seq = 4;
        for e in select * from audit_log where chain = '${chain}' order by seq loop
          h := audit_hash(h, e.id, e.chain, e.seq, e.project_id, e.environment_id, e.flag_key, e.actor_email, e.action,
            audit_text(e.before_data, e.month, e.environment_id, e.before_chunks), audit_text(e.after_data, e.month, e.environment_id, e.after_chunks),
            e.metadata::text, e.created_at);
          update audit_log set hash = h where id = e.id;
        end loop;
        update audit_chains set head = h where chain = '${chain}';
      end $$`
    await tampered([rewrite], async () => {
      const [line] = await verify(`?chain=${chain}`)
      expect(line?.ok).toBe(true)
      expect(line?.head.seq).toBe(anchor.seq)
      expect(line?.head.hash).not.toBe(anchor.hash)
    })
  })

  it('a webhook carries the place of its entry, and the export ends with the heads', async () => {
    const receiver = await startReceiver()
    const path = `/api/environments/${chain}/webhooks`
    expect((await server.call({ path, body: { name: 'hook', url: receiver.url() } })).status).toBeLessThan(
      300,
    )
    await putFlags(chain, 'announced', 1)
    const { data } = await eventually(() => {
      const delivered = receiver.received()[0]
      return delivered?.body
    })
    const { rows } = await server.database.pool.query(
      "select seq, encode(hash, 'hex') as hash from audit_log where flag_key = 'announced-0'",
    )
    expect(data.audit).toEqual({ chain, seq: Number(rows[0].seq), hash: rows[0].hash })
    await receiver.close()
    const response = await fetch(`${server.url}/api/projects/${server.project.id}/audit`, {
      headers: { cookie: server.cookie, accept: 'application/x-ndjson' },
    })
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { heads } = lines.at(-1)
    expect(heads.map((head: { chain: string }) => head.chain).sort()).toEqual(
      Object.values(server.environments).sort(),
    )
    expect(heads.find((head: { chain: string }) => head.chain === chain).hash).toBe(
      lines.find((line) => line.chain === chain).hash,
    )
  })

  it('a deleted project still verifies, and nothing behind its deletion can be cut', async () => {
    const { body: project } = await server.call({
      path: '/api/projects',
      body: { name: 'Gone', slug: 'gone' },
    })
    const { body: environments } = await server.call({ path: `/api/projects/${project.id}/environments` })
    const [first] = environments
    await putFlags(first.id, 'gone', 3)
    const own = await server.call({ path: `/api/projects/${project.id}`, method: 'DELETE' })
    expect(own.status).toBe(204)
    expect(await firstBad()).toBeUndefined()
    const lines = await verify(`?project_id=${project.id}`)
    expect(lines.length).toBe(environments.length)
    const cut = [
      `delete from audit_log where chain = '${first.id}' and seq > 1`,
      `update audit_chains link set seq = 1, head = (select hash from audit_log where chain = link.chain and seq = 1) where chain = '${first.id}'`,
    ]
    const forms = ['', `?chain=${first.id}`, `?project_id=${project.id}`]
    await tampered(cut, async () => {
      for (const form of forms)
        expect(await firstBad(form), form).toMatchObject({ seq: 2, problem: 'truncated' })
    })
    const wiped = [
      `delete from audit_log where chain = '${first.id}'`,
      `delete from audit_chains where chain = '${first.id}'`,
    ]
    await tampered(wiped, async () => {
      for (const form of forms) {
        const bad = (await verify(form)).filter(({ ok }) => !ok)
        expect(bad, form).toMatchObject([{ chain: first.id, first_bad: { problem: 'truncated' } }])
      }
    })
  })

  it.each([
    ['its row', ['audit_chains']],
    ['its row and its entries', ['audit_chains', 'audit_log']],
  ])('a chain that lost %s is named by every form of the verification', async (_what, tables) => {
    const lost = tables.map((table) => `delete from ${table} where chain = '${chain}'`)
    const { id } = server.project
    await tampered(lost, async () => {
      for (const query of ['', `?chain=${chain}`, `?project_id=${id}`, `?project_id=${id}&chain=${chain}`]) {
        const bad = (await verify(query)).filter(({ ok }) => !ok)
        expect(bad, query).toMatchObject([{ chain, project_id: id, first_bad: { problem: 'truncated' } }])
      }
      for (const query of ['', `?chain=${chain}`]) {
        const bad = (await verifyProject(id, query)).filter(({ ok }) => !ok)
        expect(bad, query).toMatchObject([{ chain, first_bad: { problem: 'truncated' } }])
      }
      // Other chains and projects do not have it among theirs.
      const { staging } = server.environments
      expect(await firstBad(`?chain=${staging}`)).toBeUndefined()
    })
  })

  it('entries that lost their chain as well as its row are named by every form', async () => {
    const unchained = [
      `update audit_log set chain = null, seq = null, hash = null where chain = '${chain}'`,
      `delete from audit_chains where chain = '${chain}'`,
    ]
    const { id } = server.project
    await tampered(unchained, async () => {
      for (const query of ['', `?chain=${chain}`, `?project_id=${id}`])
        expect((await verify(query)).find(({ ok }) => !ok)?.chain, query).toBe(chain)
    })
  })

  it('a chain whose row was given to another project is still verified with its own', async () => {
    const { id } = server.project
    const moved = [
      `update audit_chains set project_id = gen_random_uuid() where chain = '${chain}'`,
      `update audit_log set actor_email = 'eve' where chain = '${chain}' and seq = 3`,
    ]
    await tampered(moved, async () => {
      const bad = { seq: 3, problem: 'changed' }
      expect(await firstBad(`?project_id=${id}`)).toMatchObject(bad)
      expect((await verifyProject(id)).find(({ ok }) => !ok)?.first_bad).toMatchObject(bad)
    })
  })

  it('a lost chain of the workspace is named, and a chain that never existed is not', async () => {
    const lost = ["delete from audit_chains where chain = 'workspace'"]
    await tampered(lost, async () => {
      for (const query of ['', '?chain=workspace'])
        expect((await verify(query)).find(({ ok }) => !ok)?.chain, query).toBe('workspace')
      expect(await firstBad(`?project_id=${server.project.id}`)).toBeUndefined()
    })
    expect(await verify('?chain=00000000-0000-4000-8000-000000000000')).toEqual([])
    expect(await verify("?chain=x'")).toEqual([])
  })

  it('logouts, new tokens and revocations at the same time do not wait for each other in a circle', async () => {
    const cookies = await loggedIn(12)
    const statuses = await Promise.all(
      cookies.flatMap((cookie, nth) => [
        server.call({ method: 'POST', path: '/api/auth/logout', as: { cookie } }),
        server.call({ path: '/api/tokens', body: { name: `token-${nth}`, scope: 'read_only' } }),
        server.call({ path: '/api/projects', body: { name: `P ${nth}`, slug: `p-${nth}` } }),
      ]),
    )
    expect(statuses.filter(({ status }) => status >= 300)).toEqual([])
    expect(await firstBad()).toBeUndefined()
  })

  it('a project admin verifies the project, and a chain of another one is not among its lines', async () => {
    const path = `/api/projects/${server.project.id}/audit/verify?chain=workspace`
    const response = await fetch(server.url + path, { headers: { cookie: server.cookie } })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect((await server.call({ path: '/api/audit/verify?from_seq=0' })).status).toBe(422)
  })

  it('a project admin verifies by the endpoint of the workspace as well, with the project only', async () => {
    const { id: user_id, cookie } = await addUser(server, { email: 'auditor@example.com' })
    const members = `/api/projects/${server.project.id}/members`
    expect((await server.call({ path: members, body: { user_id, role: 'admin' } })).status).toBe(200)
    const { body: other } = await server.call({
      path: '/api/projects',
      body: { name: 'Other', slug: 'other' },
    })
    const read = (query: string) => fetch(`${server.url}/api/audit/verify${query}`, { headers: { cookie } })
    const own = await read(`?project_id=${server.project.id.toUpperCase()}`)
    const lines = (await own.text()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).project_id)).toEqual(
      [...Array(3)].map(() => server.project.id),
    )
    for (const query of ['', '?chain=workspace', '?project_id=x', `?project_id=${other.id}`])
      expect((await read(query)).status).toBe(403)
    expect((await read(`?project_id=${server.environments.production}`)).status).toBe(404)
    const viewer = { method: 'PATCH', path: `${members}/${user_id}`, body: { role: 'editor' } } as const
    expect((await server.call(viewer)).status).toBe(200)
    expect((await read(`?project_id=${server.project.id}`)).status).toBe(403)
  })
})
