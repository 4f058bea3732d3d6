import type pg from 'pg'

/**
 * Tables, partitions, views, sequences and functions of the schema `public` that the owner does not own yet.
 * Indexes and sequences of identity columns belong to their table. `reassign owned` refuses the objects of
 * initdb's superuser.
 */
const FOREIGN_OBJECTS = `
  select format('alter %s %s owner to %I', kind, name, $1::text) as statement
  from (
    select case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind,
      oid::regclass::text as name, relowner as owner, relnamespace as schema
    from pg_class
    where relkind in ('r', 'p', 'v', 'm') or relkind = 'S' and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i')
    )
    union all
    select 'routine', oid::regprocedure::text, proowner, pronamespace from pg_proc
  ) as objects
  where schema = 'public'::regnamespace and owner <> (select oid from pg_roles where rolname = $1::text)
`

/** Gives everything in the schema `public` to `owner`, in one transaction. */
export async function takeOwnership(client: pg.Client, owner: string): Promise<void> {
  await client.query('begin')
  const { rows } = await client.query<{ statement: string }>(FOREIGN_OBJECTS, [owner])
  for (const { statement } of rows) await client.query(statement)
  await client.query('commit')
}
