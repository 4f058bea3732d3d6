import { sql } from 'kysely'
import type { TestDatabase } from '../harness/database.ts'

interface Expected {
  readonly writesAcknowledged: number
  /** The foreign project, which only workspace admins may change. */
  readonly foreignProjectId: string
}

/** Checks what must be true in the database whatever requests were sent. Returns the problems. */
export async function checkConsistency(
  { db }: TestDatabase,
  { foreignProjectId, writesAcknowledged }: Expected,
): Promise<string[]> {
  const problems: string[] = []
  const expectNone = async (what: string, query: ReturnType<typeof sql<object>>) => {
    const { rows } = await query.execute(db)
    if (rows.length > 0) problems.push(`${what}: ${JSON.stringify(rows.slice(0, 5))}`)
  }
  await expectNone(
    'revisions are not gapless',
    sql`select e.id, e.revision, count(c.revision) as changes, min(c.revision), max(c.revision)
      from environments e left join environment_changes c on c.environment_id = e.id
      group by e.id having count(c.revision) <> e.revision or coalesce(max(c.revision), 0) <> e.revision`,
  )
  await expectNone(
    'flags are newer than their environment',
    sql`select f.environment_id, f.key from flags f join environments e on e.id = f.environment_id
      where f.revision > e.revision`,
  )
  await expectNone(
    'projects have not exactly one default environment',
    sql`select p.id from projects p left join environments e on e.project_id = p.id and e.is_default
      group by p.id having count(e.id) <> 1`,
  )
  await expectNone(
    'keys stand in another project than their environment',
    sql`select k.id from sdk_keys k join environments e on e.id = k.environment_id
      where k.project_id <> e.project_id`,
  )
  await expectNone(
    'no workspace admin is left',
    sql`select 1 as none where not exists (select 1 from users where role = 'admin')`,
  )
  await expectNone(
    'a caller wrote to a foreign project',
    sql`select id, actor_email, action from audit_log where project_id = ${foreignProjectId}
      and actor_email not in (select email from users where role = 'admin')`,
  )
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from audit_log`.execute(db)
  const entries = rows[0]?.count ?? 0
  if (entries < writesAcknowledged) {
    problems.push(`${writesAcknowledged} writes were acknowledged, ${entries} are in the audit log`)
  }
  return problems
}
