import { type Kysely, sql } from 'kysely'
import type { Database } from './tables.ts'

/** Instances that start together grant one after the other: PostgreSQL refuses to change one entry twice at once. */
const GRANTING_LOCK = 4_201_982

const PRIVILEGES = ['select', 'insert', 'update', 'delete', 'truncate', 'trigger', 'references'] as const
type Privilege = (typeof PRIVILEGES)[number]

/** What requests need of a table. */
const ORDINARY: readonly Privilege[] = ['select', 'insert', 'update', 'delete']

/** Less than that, and what is more is taken back. */
const NARROWER: Readonly<Record<string, readonly Privilege[]>> = {
  // Append-only, and their triggers are the owner's.
  audit_log: ['select', 'insert'],
  audit_chunks: ['select', 'insert'],
  kysely_migration: ['select'],
  kysely_migration_lock: ['select'],
}

/** The role that a connection acts as. */
export async function roleOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db)
  const [found] = rows
  if (!found) throw new Error('every connection has a role')
  return found.role
}

/**
 * Lets the role `application` read and write the rows of the tables, which belong to the role that `owner` is connected as. It may
 * change no stored row of the audit log, and no table, trigger or partition. Partitions are reached through their table. Does nothing
 * where that is so already.
 */
export async function grantApplication(owner: Kysely<Database>, application: string): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${GRANTING_LOCK}::bigint)`.execute(tx)
    const role = sql.id(application)
    for (const { held, name } of await findTables(tx, application)) {
      const narrower = NARROWER[name]
      const wanted = narrower ?? ORDINARY
      const table = sql.id('public', name)
      for (const privilege of PRIVILEGES) {
        const is_held = held.includes(privilege)
        if (is_held === wanted.includes(privilege) || (is_held && narrower === undefined)) continue
        const word = sql.raw(privilege)
        await (is_held
          ? sql`revoke ${word} on table ${table} from ${role}`
          : sql`grant ${word} on table ${table} to ${role}`
        ).execute(tx)
      }
    }
    for (const name of await findClosedSequences(tx, application))
      await sql`grant usage on sequence ${sql.id('public', name)} to ${role}`.execute(tx)
  })
}

/** Sequences that the role may not draw from; those of identity columns need no right. */
async function findClosedSequences(db: Kysely<Database>, application: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'S'
      and relowner = (select oid from pg_roles where rolname = current_user)
      and case relkind when 'S' then not has_sequence_privilege(${application}, pg_class.oid, 'usage') end
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'i')
  `.execute(db)
  return rows.map(({ name }) => name)
}

interface GrantedTable {
  readonly name: string
  /** What the role may do with it now. */
  readonly held: readonly string[]
}

async function findTables(db: Kysely<Database>, application: string): Promise<readonly GrantedTable[]> {
  const { rows } = await sql<GrantedTable>`
    select relname as name, array(
      select privilege from unnest(${[...PRIVILEGES]}::text[]) as privilege
      where has_table_privilege(${application}, pg_class.oid, privilege)
    ) as held
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relowner = (select oid from pg_roles where rolname = current_user)
    order by relname
  `.execute(db)
  return rows
}
