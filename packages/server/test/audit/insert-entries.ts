import type { TestServer } from '../harness/start-test-server.ts'

export interface EntryDraft {
  readonly project_id: string
  readonly environment_id?: string | null
  readonly flag_key?: string
  readonly actor_email?: string
  readonly action?: string
  readonly after_data?: object | null
  readonly created_at?: string
}

/**
 * Inserts entries directly into the log, for reading many from many times. Returns their ids in the given
 * order.
 */
export async function insertEntries(
  { database: { pool } }: Pick<TestServer, 'database'>,
  drafts: readonly EntryDraft[],
): Promise<number[]> {
  const rows = drafts.map((draft) => ({
    environment_id: null,
    flag_key: '',
    actor_email: 'ada@example.com',
    action: 'update',
    after_data: null,
    created_at: '2026-01-01T00:00:00.000Z',
    ...draft,
  }))
  const { rows: inserted } = await pool.query(
    `insert into audit_log (project_id, environment_id, flag_key, actor_email, action, after_data, metadata, created_at)
     select project_id, environment_id, flag_key, actor_email, action, after_data, '{"origin":"direct"}', created_at
     from json_to_recordset($1) as entry(project_id uuid, environment_id uuid, flag_key text, actor_email text,
       action text, after_data json, created_at timestamptz)
     returning id`,
    [JSON.stringify(rows)],
  )
  return inserted.map(({ id }) => Number(id))
}
