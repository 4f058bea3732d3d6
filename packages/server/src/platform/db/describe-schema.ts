import { type Kysely, sql } from 'kysely'
import type { Database } from './tables.ts'

/** The objects of a schema, such as `table flags`, each with its parts by name, such as `column key`. */
export type SchemaDescription = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * Returns a text for each part of the tables, functions and sequences in the schema of the connection. Equal
 * schemas have equal texts with every version of PostgreSQL from 15 on, in any order of columns. Partitions,
 * owners, privileges and the tables of the library of migrations are left out. The part without a name is
 * the object itself.
 */
export async function describeSchema(db: Kysely<Database>): Promise<SchemaDescription> {
  const { rows } = await sql<{ object: string; part: string; text: string }>`
    with tables as (
      select oid, 'table ' || relname as object, relpersistence, relkind from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not like 'kysely\\_%'
    )
    ${TABLES} union all ${COLUMNS} union all ${CONSTRAINTS} union all ${INDEXES} union all ${TRIGGERS}
    union all ${FUNCTIONS} union all ${SEQUENCES}
    order by 1, 2`.execute(db)
  const objects = new Map<string, Map<string, string>>()
  for (const { object, part, text } of rows) {
    const parts = objects.get(object) ?? new Map<string, string>()
    objects.set(object, parts.set(part, text))
  }
  return objects
}

const TABLES = sql`
  select object, '' as part, concat_ws(' ', relpersistence,
    case when relkind = 'p' then 'partition by ' || pg_get_partkeydef(oid) end) as text
  from tables`

const COLUMNS = sql`
  select object, 'column ' || attname, concat_ws(' ', format_type(atttypid, atttypmod),
    case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end,
    case when attnotnull then 'not null' end,
    case attidentity when 'a' then 'identity always' when 'd' then 'identity by default' end,
    case when attgenerated <> '' then 'generated ' || attgenerated::text end,
    'default ' || pg_get_expr(adbin, adrelid, true))
  from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
    join pg_type on pg_type.oid = atttypid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum`

/** Without those of NOT NULL, which are of columns, and which PostgreSQL lists from version 18 on. */
const CONSTRAINTS = sql`
  select object, 'constraint ' || conname, pg_get_constraintdef(pg_constraint.oid, true)
  from tables join pg_constraint on conrelid = tables.oid and contype <> 'n'`

/** Without those of constraints, and without those that PostgreSQL does not use. */
const INDEXES = sql`
  select object, 'index ' || relname, pg_get_indexdef(indexrelid, 0, true)
  from tables join pg_index on indrelid = tables.oid and indisvalid join pg_class on pg_class.oid = indexrelid
  where not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)`

const TRIGGERS = sql`
  select object, 'trigger ' || tgname, concat_ws(' ', pg_get_triggerdef(pg_trigger.oid, true),
    case when tgenabled <> 'O' then 'enabled ' || tgenabled::text end)
  from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal`

/** The schema in the setting of a function is the one in which the migrations ran. */
const FUNCTIONS = sql`
  select 'function ' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')', '',
    concat_ws(' ', pg_get_function_result(pg_proc.oid), lanname, provolatile, proparallel,
      case when proisstrict then 'strict' end, case when prosecdef then 'security definer' end,
      replace(array_to_string(proconfig, ' '), 'search_path=' || quote_ident(current_schema()) || ',', 'search_path=this,'),
      prosrc)
  from pg_proc join pg_language on pg_language.oid = prolang
  where pronamespace = current_schema()::regnamespace and prokind = 'f'`

const SEQUENCES = sql`
  select 'sequence ' || relname, '',
    concat_ws(' ', format_type(seqtypid, null), seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle)
  from pg_sequence join pg_class on pg_class.oid = seqrelid
  where relnamespace = current_schema()::regnamespace`
