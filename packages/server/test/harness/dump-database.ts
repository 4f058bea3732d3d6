import type { OpenDatabase } from '../../src/platform/db/connect.ts'
import type { WatchedText } from './secret-watch.ts'

interface DatabaseDump {
  /** Every table's rows as JSON lines, without password hashes. */
  readonly tables: readonly WatchedText[]
  readonly passwordHashes: readonly string[]
}

/** Returns the whole content of a database, to search through. */
export async function dumpDatabase(pool: OpenDatabase['pool']): Promise<DatabaseDump> {
  const { rows } = await pool.query<{ name: string }>(ALL_TABLES)
  const tables = await Promise.all(
    rows.map(async ({ name }) => ({ place: `table ${name}`, text: await dumpTable(pool, name) })),
  )
  if (!rows.some(({ name }) => name === USERS)) return { tables, passwordHashes: [] }
  const users = await pool.query<{ password_hash: string }>(
    `select password_hash from ${USERS} where password_hash is not null`,
  )
  return { tables, passwordHashes: users.rows.map(({ password_hash }) => password_hash) }
}

const USERS = 'public.users'

const ALL_TABLES = `
  select format('%I.%I', nspname, relname) as name
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'p') and not relispartition
    and nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_'
  order by name`

async function dumpTable(pool: OpenDatabase['pool'], name: string): Promise<string> {
  const row = name === USERS ? "to_jsonb(t) - 'password_hash'" : 'to_json(t)'
  const { rows } = await pool.query<{ row: string }>(`select (${row})::text as row from ${name} t`)
  return rows.map(({ row }) => row).join('\n')
}
