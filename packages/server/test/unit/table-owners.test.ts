import { describe, expect, it } from 'vitest'
import { createExceptions, findForeignAccesses, readOwners } from '../../../../scripts/check-tables.mjs'
import { TABLE_OWNERS } from '../../src/platform/db/table-owners.ts'

const owners = readOwners()
const find = (file: string, text: string, isExcepted = () => false) =>
  findForeignAccesses(file, text, owners, isExcepted).map((line) => line.slice(line.indexOf(': ') + 2))

const writesUsers = 'writes users, whose owner is structure/users. Call a function of it'

it('the check reads the owners as they are', () => {
  expect(owners).toEqual(TABLE_OWNERS)
})

describe('a write of a table whose owner is another room is found', () => {
  it.each([
    "db.insertInto('users').values(row)",
    "db.updateTable('users as u').set({ name })",
    "db.deleteFrom('users').where('id', '=', id)",
    "db.mergeInto('users').using('roles', 'roles.id', 'users.id')",
    "for (const table of ['users'] as const) await db.deleteFrom(table).execute()",
    'sql`insert into users (id) select 1`',
    'sql`with gone as (delete from users where id = ${' + 'id}::int returning id) select id from gone`',
    'sql`update users u set name = ${' + 'name} where u.id = 1`',
    "compileStatement('truncate users')",
    "deleteExpired(db, 'users', now, rows)",
    "const INTO = 'users (id)'; const text = `insert into ${" + 'INTO} select 1`',
    'const into = sql`users`; await sql`insert into ${' + 'into} select 1`',
    'sql`delete from ${' + "sql.table('users')}`",
    "const table = sql.table('users'); await sql`truncate ${" + 'table}`',
    "for (const table of ['users']) await sql`delete from ${" + 'sql.table(table)}`',
    "for (const table of ['users'].map((name) => sql.table(name))) await sql`delete from ${" + 'table}`',
    "for (const table of [sql.table('users')]) await sql`delete from ${" + 'table}`',
    'sql`DELETE FROM users`',
    'sql`delete from public.users`',
    'sql`update "public"."users" set name = 1`',
    "db.deleteFrom('public.users')",
    'sql`truncate table other, users restart identity`',
    "db.with('users', (q) => q.selectFrom('workspace')).deleteFrom('users')",
  ])('%s', (text) => {
    expect(find('identity/scim/queries.ts', text)).toEqual([writesUsers])
    expect(find('structure/users/queries.ts', text)).toEqual([])
  })

  it('no exception allows it', () => {
    expect(find('app/queries.ts', "db.deleteFrom('users')", () => true)).toEqual([writesUsers])
  })
})

describe('shared columns', () => {
  const update = (columns: string) =>
    `db.updateTable('environments').set({ ${columns} }).where('id', '=', id)`

  it('are written by the room that shares them', () => {
    expect(find('governance/invariants/queries.ts', update('has_invariants: true'))).toEqual([])
    expect(
      find('changes/queries.ts', 'sql`update environments set revision = revision + 1, stored_bytes = 0`'),
    ).toEqual([])
  })

  it.each([
    ['governance/invariants/queries.ts', update('has_invariants: true, name')],
    ['governance/invariants/queries.ts', update('...columns')],
    [
      'governance/invariants/queries.ts',
      "const query = db.updateTable('environments'); await query.set({ name }).execute()",
    ],
    ['changes/queries.ts', 'sql`update environments set revision = (select 1 from flags), name = 1`'],
    [
      'changes/queries.ts',
      'const REVISED = `update environments set revision = 1`; const text = `${' + 'REVISED}, name = 1`',
    ],
    ['governance/audit/queries.ts', update('has_invariants: true')],
    ['changes/queries.ts', 'sql`update environments set (revision, name) = (1, $1)`'],
    ['changes/queries.ts', "db.deleteFrom('environments')"],
  ])('no others: %s, %s', (file, text) => {
    expect(find(file, text)).toEqual([
      'writes environments, whose owner is structure/environments. Call a function of it',
    ])
  })
})

describe('a read of a table of a room that is not below is found', () => {
  const readsRequests = (room: string) => [
    `reads change_requests of governance/change-requests, which is not below ${room}`,
  ]

  it.each([
    "db.selectFrom('change_requests as r').select('id')",
    "db.selectFrom(['change_requests', 'flags'])",
    "db.selectFrom('flags').leftJoin('change_requests as r', 'r.flag_key', 'flags.key')",
    "rowExists(db, 'change_requests', { id })",
    'sql`select 1 from flags, change_requests`',
    'sql`select id from flags f join change_requests r on r.flag_key = f.key`',
    "db.selectFrom('flags').where(sql`exists (select from change_requests)`)",
    'sql`select 1 from flags f join segments s on s.id = coalesce(f.id, 1), change_requests r`',
    'sql`SELECT 1 FROM flags JOIN public.change_requests r USING (id)`',
    "const source = 'change_requests'; db.selectFrom('workspace').from(source)",
    "const of = { a: () => db.with('change_requests', q), b: () => db.selectFrom('change_requests') }",
  ])('%s', (text) => {
    expect(find('targeting/flags/queries.ts', text)).toEqual(readsRequests('targeting/flags'))
    expect(find('governance/audit/queries.ts', text)).toEqual([])
    expect(find('app/queries.ts', text)).toEqual([])
  })

  it('also among domains of one level, above which insight stands', () => {
    const text = "db.selectFrom('change_requests')"
    expect(find('identity/auth/queries.ts', text)).toEqual(readsRequests('identity/auth'))
    expect(find('insight/lifecycle/queries.ts', text)).toEqual([])
    expect(find('governance/audit/queries.ts', "db.selectFrom('experiments')")).toEqual([
      'reads experiments of insight/experiments, which is not below governance/audit',
    ])
  })

  it('unless the file has an exception', () => {
    expect(find('targeting/flags/queries.ts', "db.selectFrom('change_requests')", () => true)).toEqual([])
  })
})

it('what lists the rows of a domain prunes those of its rooms', () => {
  const text = "deleteExpired(db, 'sessions', now, rows)"
  expect(find('identity/compose.ts', text)).toEqual([])
  expect(find('insight/compose.ts', text)).toEqual([
    'writes sessions, whose owner is identity/auth. Call a function of it',
  ])
})

it('the name of a common table expression is no table', () => {
  const ofKysely = "db.with('experiments', (q) => q.selectFrom('flags')).selectFrom('experiments')"
  const ofSql =
    'sql`with experiments as (select 1), sessions (id) as (select 2) select from experiments, sessions`'
  expect(find('targeting/flags/queries.ts', ofKysely)).toEqual([])
  expect(find('targeting/flags/queries.ts', ofSql)).toEqual([])
})

it('arrays, and lists of other things than tables, name no tables', () => {
  expect(find('targeting/flags/queries.ts', "Array.from(names); const a = 'change_requests'")).toEqual([])
  const text =
    'sql`with a as (select 1 from flags), b as (select 2), sessions as (select 3) select 1, experiments`'
  expect(find('targeting/flags/queries.ts', text)).toEqual([])
})

it('an exception is of one file and one table, and is listed when it is not used', () => {
  const rows = ['users', 'roles'].map((table) => ({ file: 'changes/a.ts', table, reason: '' }))
  const { isExcepted, listUnused } = createExceptions(rows)
  expect(isExcepted({ file: 'changes/a.ts', table: 'users' })).toBe(true)
  expect(isExcepted({ file: 'changes/a.ts', table: 'flags' })).toBe(false)
  expect(isExcepted({ file: 'changes/b.ts', table: 'roles' })).toBe(false)
  expect(listUnused()).toEqual([rows[1]])
})

it('texts that are no SQL name no tables', () => {
  const text = "throw conflict('The environment is used by experiments, and nobody reads from it.')"
  expect(find('targeting/flags/queries.ts', text)).toEqual([])
})
