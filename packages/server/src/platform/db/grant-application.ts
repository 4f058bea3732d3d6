import { type Kysely, sql, type Transaction } from 'kysely'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { RolesNotSeparated } from './separate-roles.ts'
import { type LockDeps, limitLockWaits, retryLocks } from './short-locks.ts'
import type { Database } from './tables.ts'

const PRIVILEGES = ['select', 'insert', 'update', 'delete', 'truncate', 'trigger', 'references'] as const
type Privilege = (typeof PRIVILEGES)[number]

/** The privileges on an ordinary table. */
const ORDINARY: readonly Privilege[] = ['select', 'insert', 'update', 'delete']

/** Tables with fewer privileges. Further ones are revoked. */
const NARROWER: Readonly<Record<string, readonly Privilege[]>> = {
  // Append-only, with triggers that belong to the owner.
  audit_log: ['select', 'insert'],
  audit_chunks: ['select', 'insert'],
  kysely_migration: ['select'],
  kysely_migration_lock: ['select'],
}
const NARROWER_NAMES = Object.keys(NARROWER)

/**
 * Lets the role `application` read and write the rows of the tables, as the role of the connection `owner`.
 * It may change no stored row of the audit log, and no table, trigger or partition; it may call no function
 * that runs with the owner's rights, and create none that such a function could call. Partitions are reached
 * through their table. Does nothing when all of that is already so. Throws `RolesNotSeparated` when the role
 * keeps a right that cannot be revoked here.
 */
export async function grantApplication(
  deps: LockDeps & { readonly owner: Kysely<Database> },
  application: string,
): Promise<void> {
  await retryLocks(deps, 'granting rights to the role of DATABASE_URL', () =>
    deps.owner.transaction().execute((tx) => grantAll(tx, application)),
  )
}

async function grantAll(tx: Transaction<Database>, application: string): Promise<void> {
  await limitLockWaits(tx)
  // Instances that start together take turns: PostgreSQL refuses concurrent changes of one entry.
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.grantApplication}::bigint)`.execute(tx)
  for (const table of await findTables(tx, application)) await grantTable(tx, table, application)
  for (const name of await findClosedSequences(tx, application))
    await sql`grant usage on sequence ${sql.id('public', name)} to ${sql.id(application)}`.execute(tx)
  const excess = await findExcess(tx, application)
  for (const { what } of excess)
    await sql`revoke ${sql.raw(what)} from public, ${sql.id(application)}`.execute(tx)
  const [kept] = excess.length > 0 ? await findExcess(tx, application) : []
  if (kept !== undefined)
    throw new RolesNotSeparated(
      `the role "${application}" of DATABASE_URL has a right that it must not have, and keeps it through ` +
        `another role or another owner: make \`revoke ${kept.what}\` from that role, as the one that granted it`,
    )
}

async function grantTable(
  tx: Transaction<Database>,
  { held, name }: GrantedTable,
  application: string,
): Promise<void> {
  const wanted = NARROWER[name] ?? ORDINARY
  for (const privilege of wanted) {
    if (held.includes(privilege)) continue
    const table = sql.id('public', name)
    await sql`grant ${sql.raw(privilege)} on table ${table} to ${sql.id(application)}`.execute(tx)
  }
}

/** Returns the sequences that the role may not use. Those of identity columns need no right. */
async function findClosedSequences(db: Kysely<Database>, application: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'S'
      and pg_has_role(current_user, relowner, 'usage')
      and case relkind when 'S' then not has_sequence_privilege(${application}, pg_class.oid, 'usage') end
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'i')
  `.execute(db)
  return rows.map(({ name }) => name)
}

interface GrantedTable {
  readonly name: string
  /** The current privileges of the role. */
  readonly held: readonly string[]
}

/** Returns the tables, without months of the audit log that are not attached. */
async function findTables(db: Kysely<Database>, application: string): Promise<readonly GrantedTable[]> {
  const { rows } = await sql<GrantedTable>`
    select relname as name, array(
      select privilege from unnest(${[...PRIVILEGES]}::text[]) as privilege
      where has_table_privilege(${application}, pg_class.oid, privilege)
    ) as held
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname !~ '^audit_(log|chunks)_'
      and pg_has_role(current_user, relowner, 'usage')
    order by relname
  `.execute(db)
  return rows
}

/** Returns the rights that the role has and must not have, in the words of `revoke`. */
async function findExcess(
  db: Kysely<Database>,
  application: string,
): Promise<readonly { readonly what: string }[]> {
  const wanted = Object.entries(NARROWER).flatMap(([name, privileges]) =>
    privileges.map((privilege) => `${privilege} ${name}`),
  )
  const { rows } = await sql<{ what: string }>`
    select format('%s on table %s', privilege, relation.oid::regclass) as what
    from pg_class relation cross join unnest(${[...PRIVILEGES]}::text[]) as privilege
    where relation.relnamespace = 'public'::regnamespace and relation.relkind in ('r', 'p')
      and (
        select relname from pg_class root
        where root.oid = coalesce(pg_partition_root(relation.oid), relation.oid)
      ) = any (${NARROWER_NAMES}::text[])
      and privilege || ' ' || relation.relname <> all (${wanted}::text[])
      and has_table_privilege(${application}, relation.oid, privilege)
    union all
    select format('execute on function %s', oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace and prosecdef and pg_has_role(current_user, proowner, 'usage')
      and has_function_privilege(${application}, oid, 'execute')
    union all
    select 'create on schema public' where has_schema_privilege(${application}, 'public', 'create')
  `.execute(db)
  return rows
}
