import { AUDIT_GROUPS } from '@burgee/contract'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuditFilter, auditList } from '../../../src/governance/audit/queries.ts'
import { type IncidentFilter, incidentRows } from '../../../src/governance/revert/incident-queries.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'

/** docs/performance.md has the figures of 200,000 entries. */
const ENTRIES = process.env.BURGEE_FULL === '1' ? 200_000 : 20_000
/** The entries of one statement. */
const SLICE = 10_000
/** The projects, each with one environment. Every other entry is of one of the first seven. */
const PROJECTS = 700
/** The rows that a page of 50 may read: it and what its filters remove. */
const READ_MAX = 1_500
/** The rows that an incident of 200 writes may read: with the environment and the changes of each. */
const INCIDENT_READ_MAX = 4_000

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await createProjects()
  for (let first = 1; first <= ENTRIES; first += SLICE) await fill(first)
  // Only the owner may, and without statistics PostgreSQL guesses how frequent a value is.
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query('vacuum analyze audit_log')
  await owner.end()
}, 120_000)
afterAll(() => database.drop())

async function createProjects(): Promise<void> {
  await sql`
    insert into projects (id, name, slug) select ${uuidOf('8000', sql`n`)}, n, 'project-' || n
    from generate_series(0, ${PROJECTS - 1}::int) n`.execute(database.db)
  await sql`
    insert into environments (id, project_id, name, slug, color)
    select ${uuidOf('9000', sql`n`)}, ${uuidOf('8000', sql`n`)}, 'Production', 'production', 'red'
    from generate_series(0, ${PROJECTS - 1}::int) n`.execute(database.db)
}

const uuidOf = (group: string, number: RawBuilder<unknown>) =>
  sql`(${`00000000-0000-4000-${group}-`}::text || lpad((${number})::text, 12, '0'))::uuid`

/** Every 500th entry is of one person, action, resource and flag; every 10th is of the workspace. */
async function fill(first: number): Promise<void> {
  const placeOf = sql`n % case when n % 2 = 0 then 7 else ${PROJECTS}::int end`
  await sql`
    insert into audit_log (project_id, environment_id, flag_key, action, actor_email, before_data, after_data, metadata, created_at)
    select
      case when n % 10 = 0 then null else ${uuidOf('8000', placeOf)} end,
      case when n % 10 = 0 then null else ${uuidOf('9000', placeOf)} end,
      case when n % 10 = 0 then '' when n % 500 = 1 then 'rare-flag' else 'flag-' || n % 300 end,
      case when n % 500 = 2 then 'restore' else 'update' end,
      case when n % 500 = 3 then 'Rare@example.com' else 'user-' || n % 40 || '@example.com' end,
      json_build_object('is_enabled', n % 900 = 4), json_build_object('is_enabled', true),
      json_build_object('origin', 'direct',
        'resource', case when n % 500 = 5 then 'user:7' when n % 500 = 10 then 'webhook:' || n % 3
          when n % 10 = 0 then 'member:' || n % 90 end,
        'credential', case when n % 500 = 6 then json_build_object('kind', 'access_token', 'id', n % 3)
          when n % 3 = 0 then json_build_object('kind', 'sdk_key', 'id', n % 300)
          else json_build_object('kind', 'session', 'id', 'session-' || n % 400) end),
      now() - (${ENTRIES}::int - n) * interval '1 minute'
    from generate_series(${first}::int, ${first + SLICE - 1}::int) n`.execute(database.db)
}

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  /** The searches of all loops together. */
  readonly 'Index Searches'?: number
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

/** Returns the rows that a plan reads from tables, and its searches of indexes. */
const rowsRead = (node: PlanNode): number => {
  const { 'Actual Loops': loops, Plans = [] } = node
  const own =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const isScan = node['Relation Name'] !== undefined
  // A search that skips from value to value of a leading column reads pages without rows.
  const searches = node['Index Searches'] ?? 0
  return (isScan ? own * loops + searches : 0) + Plans.map(rowsRead).reduce((sum, rows) => sum + rows, 0)
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString()
const PROJECT = '00000000-0000-4000-8000-000000000003'
/** One of those with the fewest entries. */
const SMALL_PROJECT = '00000000-0000-4000-8000-000000000333'

it.each<[string, () => AuditFilter]>([
  ['no filter', () => ({})],
  ['the actor', () => ({ actor: 'rare@EXAMPLE.com' })],
  ['the action', () => ({ action: 'restore' })],
  ['an action that never occurs', () => ({ action: 'archive' })],
  ['the resource', () => ({ resource: 'user:7' })],
  ['a resource that never occurs', () => ({ resource: 'user:8' })],
  ['a group that is rare', () => ({ group: 'receivers' })],
  ['a group that is frequent', () => ({ group: 'people' })],
  ['a group that never occurs', () => ({ group: 'keys' })],
  ['the group of authentication', () => ({ group: 'authentication' })],
  ['the group of flags', () => ({ group: 'flags' })],
  ['one credential', () => ({ credential: 'session:session-7' })],
  ['a credential that never occurs', () => ({ credential: 'session:no-such-session' })],
  ['a kind of credential that is rare', () => ({ credential: 'access_token' })],
  ['a kind of credential that is frequent', () => ({ credential: 'sdk_key' })],
  ['a kind of credential that never occurs', () => ({ credential: 'scim_token' })],
  ['group and credential', () => ({ group: 'receivers', credential: 'session' })],
  ['the flag', () => ({ flag_key: 'rare-flag' })],
  ['a flag that never occurs', () => ({ flag_key: 'no-such-flag' })],
  ['an hour long ago', () => ({ from: daysAgo(12), to: daysAgo(12 - 1 / 24) })],
  ['a day in the future', () => ({ from: daysAgo(-2) })],
  ['actor and action', () => ({ actor: 'rare@example.com', action: 'restore' })],
  ['the project', () => ({ project_id: PROJECT })],
  ['the project and the actor', () => ({ project_id: PROJECT, actor: 'rare@example.com' })],
  ['the project and a frequent actor', () => ({ project_id: PROJECT, actor: 'user-7@example.com' })],
  [
    'a small project and a frequent actor',
    () => ({ project_id: SMALL_PROJECT, actor: 'user-7@example.com' }),
  ],
  ['the project and the action', () => ({ project_id: PROJECT, action: 'restore' })],
  ['a small project and a frequent action', () => ({ project_id: SMALL_PROJECT, action: 'update' })],
  ['the project and the flag', () => ({ project_id: PROJECT, flag_key: 'rare-flag' })],
  ['the project and a frequent flag', () => ({ project_id: PROJECT, flag_key: 'flag-7' })],
  ['the project and an hour', () => ({ project_id: PROJECT, from: daysAgo(12), to: daysAgo(12 - 1 / 24) })],
  ['the project and switched on', () => ({ project_id: PROJECT, switched: 'on' })],
  ['switched on', () => ({ switched: 'on' })],
  ['the last entries for a program', () => ({ sinceId: ENTRIES - 100 })],
])('a page of the workspace audit log filtered by %s reads few rows', async (what, filterOf) => {
  const list = auditList(
    database.db,
    { ...filterOf(), isPlaced: true },
    { limit: 50, offset: 0, lastId: null },
  )
  const read = await rowsReadBy(
    what,
    sql`select * from (${list.rows}) listed order by ${list.orderBy} limit 51`,
  )
  expect(read).toBeLessThan(READ_MAX)
})

async function rowsReadBy(what: string, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': readonly [{ Plan: PlanNode; 'Execution Time': number }] }>`
    explain (analyze, format json) ${query}
  `.execute(database.db)
  const plan = rows[0]?.['QUERY PLAN'][0]
  if (!plan) throw new Error('no plan')
  const read = rowsRead(plan.Plan)
  if (process.env.BURGEE_FULL === '1')
    process.stdout.write(`${what}: ${read} rows, ${plan['Execution Time'].toFixed(1)} ms\n`)
  return read
}

const anHour = (days: number) => ({ from: daysAgo(days), to: daysAgo(days - 1 / 24) })
const inProject: IncidentFilter['place'] = { project_id: PROJECT, environmentIds: 'all' }
const inEnvironment = { ...inProject, environmentIds: ['00000000-0000-4000-9000-000000000003'] }
const always = { from: daysAgo(400), to: daysAgo(-1) }

it.each<[string, () => Pick<IncidentFilter, 'from' | 'to' | 'place'>, number?]>([
  ['the last hour of the workspace', () => ({ ...anHour(1 / 24), place: null })],
  ['an hour of the workspace long ago', () => ({ ...anHour(12), place: null })],
  ['an hour of the workspace before all entries', () => ({ ...anHour(400), place: null }), 20],
  ['all times of the workspace', () => ({ ...always, place: null })],
  ['an hour of a project long ago', () => ({ ...anHour(12), place: inProject })],
  ['all times of a project', () => ({ ...always, place: inProject })],
  ['an hour of an environment long ago', () => ({ ...anHour(12), place: inEnvironment })],
  ['all times of an environment', () => ({ ...always, place: inEnvironment })],
])('the incident of %s reads few rows', async (what, filterOf, max = INCIDENT_READ_MAX) => {
  const read = await rowsReadBy(`incident: ${what}`, incidentRows({ ...filterOf(), limit: 200 }))
  expect(read).toBeLessThan(max)
})

it('the index of groups has the groups of the contract, so that each filter by group uses it', async () => {
  const unindexed: string[] = []
  await database.db.connection().execute(async (db) => {
    // Without the order, only the condition decides whether the index can be used.
    await sql`set enable_seqscan = off`.execute(db)
    for (const group of AUDIT_GROUPS.filter((name) => name !== 'flags')) {
      const { rows } = auditList(db, { group }, { limit: 50, offset: 0, lastId: null })
      const plan = await sql<{ 'QUERY PLAN': string }>`explain ${rows}`.execute(db)
      const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
      if (!/Index Cond: .*'authentication'/s.test(text)) unindexed.push(group)
    }
    await sql`reset enable_seqscan`.execute(db)
  })
  expect(unindexed).toEqual([])
})
