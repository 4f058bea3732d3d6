import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countStatements } from '../../harness/count-statements.ts'
import { startTestServer, type TestServer } from '../../harness/start-test-server.ts'

/** Enough that the statements of each time outnumber those of a poll. */
const REPETITIONS = 40

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const { status } = await server.call({
    path: flagsPath(),
    body: { key: 'checkout', is_enabled: true },
    as: asKey(),
  })
  expect(status).toBe(200)
})
afterAll(() => server.close())

const flagsPath = () => `/api/environments/${server.environments.production}/flags`
const asKey = () => ({ bearer: server.sdkKey })

/** Returns the first words of each statement of a transaction. */
const shorten = (statements: readonly string[]): string[] =>
  statements.map((text) => text.slice(0, 2) + text.slice(2).split(/[ (]+/).slice(0, 2).join(' '))

describe('counts of statements', () => {
  it('a plain PATCH of a flag has five statements after its begin, in two round trips, and a notification', async () => {
    const { others, transactions } = await countStatements(REPETITIONS, 'no key update', async (nth) => {
      const body = { rollout_percentage: nth }
      const path = `${flagsPath()}/checkout`
      const { status } = await server.call({ method: 'PATCH', path, body, as: asKey() })
      expect(status).toBe(200)
    })
    expect(transactions).toHaveLength(REPETITIONS)
    const texts = ['begin', 'select id,', 'select key,', 'insert into', 'with revised', 'commit']
    for (const statements of transactions)
      expect(shorten(statements).map((text) => text.slice(2))).toEqual(texts)
    // A write that waits for its turn of the event loop between two statements sends them one by one.
    const starts = transactions.map((statements) =>
      shorten(statements).filter((text) => text.startsWith('+')),
    )
    const isInTwo = (texts: readonly string[]) => texts.join() === '+ begin,+ insert into'
    expect(starts.filter(isInTwo).length).toBeGreaterThan(REPETITIONS / 2)
    expect(others.filter((text) => !text.includes('pg_notify'))).toEqual([])
  })

  it('a plain report has three statements after its begin', async () => {
    const path = `/api/environments/${server.environments.production}/impressions`
    const { others, transactions } = await countStatements(REPETITIONS, 'report_counters', async (nth) => {
      const body = [{ flag_key: 'checkout', user_id: `user-${nth}`, value: 'true' }]
      expect((await server.call({ path, body, as: asKey() })).status).toBe(204)
    })
    expect(transactions).toHaveLength(REPETITIONS)
    const expected = ['begin', 'update report_counters', 'with target', 'commit']
    // The round trips are left open: fewer are welcome.
    for (const statements of transactions)
      expect(shorten(statements).map((text) => text.slice(2))).toEqual(expected)
    expect(others).toEqual([])
  })

  it('a plain poll has no statement', async () => {
    const counted = await countStatements(REPETITIONS, 'flags', async () => {
      expect((await server.call({ path: '/flags/snapshot', as: asKey() })).status).toBe(200)
    })
    expect(counted).toEqual({ transactions: [], others: [] })
  })
})

describe('indexes of what a write touches', () => {
  // Each index costs every write of its table. One that is added here needs a reason that is worth that.
  it.each([
    ['environments', ['environments_one_default_key', 'environments_pkey', 'environments_project_slug_key']],
    ['flags', ['flags_key_order_idx', 'flags_pkey']],
    [
      'environment_changes',
      [
        'environment_changes_audit_idx',
        'environment_changes_created_at_idx',
        'environment_changes_flag_idx',
        'environment_changes_pkey',
        'environment_changes_time_idx',
      ],
    ],
    // Without one of what each write moves: its rows are updated in place.
    ['audit_chains', ['audit_chains_pkey', 'audit_chains_project_idx']],
    [
      'audit_log',
      [
        'audit_log_action_idx',
        'audit_log_actor_idx',
        'audit_log_any_flag_idx',
        'audit_log_chain_idx',
        'audit_log_credential_idx',
        'audit_log_credential_kind_idx',
        'audit_log_environment_idx',
        'audit_log_flag_idx',
        'audit_log_group_idx',
        'audit_log_pkey',
        'audit_log_project_idx',
        'audit_log_resource_idx',
        'audit_log_time_idx',
        'audit_log_unchained_idx',
        'audit_log_workspace_switched_idx',
      ],
    ],
    // Those of waiting events are empty where nothing receives events.
    [
      'domain_events',
      [
        'domain_events_created_at_idx',
        'domain_events_pkey',
        'domain_events_waiting_environment_idx',
        'domain_events_waiting_idx',
      ],
    ],
  ])('the indexes of %s are the listed ones', async (table, indexes) => {
    const { rows } = await sql<{ name: string }>`
      select indexrelid::regclass::text as name from pg_index where indrelid = ${table}::regclass
      order by 1`.execute(server.database.db)
    expect(rows.map(({ name }) => name)).toEqual(indexes)
  })
})
