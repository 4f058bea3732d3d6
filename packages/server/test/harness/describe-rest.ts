import type pg from 'pg'

/**
 * Returns what `describeSchema` leaves out: the order of the columns, the partitions with their indexes and
 * triggers, the storage parameters, comments and privileges, and every row that the migrations store, without
 * the time at which it was created.
 */
export async function describeRest(pool: pg.Pool): Promise<object> {
  const rows: Record<string, unknown> = {}
  for (const [name, statement] of Object.entries(CATALOG)) rows[name] = (await pool.query(statement)).rows
  const { rows: tables } = await pool.query<{ name: string }>(TABLES)
  for (const { name } of tables)
    rows[`rows of ${name}`] = (
      await pool.query(`select to_jsonb(t) - 'created_at' as row from ${name} t`)
    ).rows
  return rows
}

const RELATIONS = `pg_class where relnamespace = 'public'::regnamespace and relname not like 'kysely\\_%'`

const TABLES = `
  select relname as name from ${RELATIONS} and relkind in ('r', 'p') and not relispartition order by 1`

const CATALOG = {
  relations: `
    select relname, relkind, reloptions, relacl::text, pg_get_expr(relpartbound, pg_class.oid) as bound,
      obj_description(pg_class.oid, 'pg_class') as comment
    from ${RELATIONS} and relkind <> 't' order by relname`,
  columns: `
    select attrelid::regclass::text as relation, array_agg(attname order by attnum) as names
    from pg_attribute where attrelid in (select pg_class.oid from ${RELATIONS} and relkind in ('r', 'p'))
      and attnum > 0 and not attisdropped
    group by 1 order by 1`,
  parents: `select inhrelid::regclass::text as child, inhparent::regclass::text as parent from pg_inherits order by 1`,
  indexes: `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index
    where indrelid in (select pg_class.oid from ${RELATIONS}) order by 1`,
  triggers: `select tgname, pg_get_triggerdef(oid) as text from pg_trigger where not tgisinternal order by 1, 2`,
  privileges: `select proname, proacl::text, obj_description(oid, 'pg_proc') as comment from pg_proc
    where pronamespace = 'public'::regnamespace order by 1`,
  sequences: `
    select sequencename, last_value, deptype, refobjid::regclass::text as table, refobjsubid as column
    from pg_sequences left join pg_depend on objid = sequencename::regclass and deptype in ('a', 'i')
    where schemaname = 'public' order by 1`,
}
