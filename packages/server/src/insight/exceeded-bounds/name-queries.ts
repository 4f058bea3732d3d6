import type { ExceededBound, PlainFormat } from '@burgee/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'

/** A name or an address that may have characters that names may not have. */
export interface NamedRow {
  readonly environment_id: string | null
  readonly key: string
  readonly text: string
}

/** A table with names. */
export interface NameSource {
  readonly resource: ExceededBound['resource']
  readonly format: PlainFormat
  /** The rows: `environment_id`, `key` and `text`. */
  readonly rows: (project_id: string) => RawBuilder<unknown>
}

/** The names of one statement. */
const NAMES_READ = 500

/** Selects the names of a table whose rows belong to environments of the project. */
const ofEnvironments =
  (table: string, key: string, text: string) =>
  (project_id: string): RawBuilder<unknown> =>
    sql`
    select environment_id, ${sql.ref(key)}::text as key, ${sql.ref(text)} as text from ${sql.table(table)}
    where environment_id in (select id from environments where project_id = ${project_id}::uuid)`

/** The names of a project. Addresses of chats are encrypted, and are not read. */
export const PROJECT_NAMES: readonly NameSource[] = [
  {
    resource: 'project',
    format: 'plain-name',
    rows: (id) =>
      sql`select null::uuid as environment_id, slug as key, name as text from projects where id = ${id}::uuid`,
  },
  {
    resource: 'environment',
    format: 'plain-name',
    rows: (id) =>
      sql`select id as environment_id, slug as key, name as text from environments where project_id = ${id}::uuid`,
  },
  { resource: 'sdk_key', format: 'plain-name', rows: ofEnvironments('sdk_keys', 'id', 'name') },
  { resource: 'segment', format: 'plain-name', rows: ofEnvironments('segments', 'key', 'name') },
  { resource: 'webhook', format: 'plain-name', rows: ofEnvironments('webhooks', 'id', 'name') },
  { resource: 'webhook', format: 'plain-url', rows: ofEnvironments('webhooks', 'id', 'url') },
  { resource: 'integration', format: 'plain-name', rows: ofEnvironments('integrations', 'id', 'name') },
  { resource: 'experiment', format: 'plain-name', rows: ofEnvironments('experiments', 'key', 'name') },
]

/** Selects the names of a table of the workspace. */
const ofWorkspace = (table: string, key: string, text: string) => (): RawBuilder<unknown> =>
  sql`
  select null::uuid as environment_id, ${sql.ref(key)}::text as key, ${sql.ref(text)} as text from ${sql.table(table)}`

/** The names of the workspace. */
export const WORKSPACE_NAMES: readonly NameSource[] = [
  {
    resource: 'workspace',
    format: 'plain-name',
    rows: () =>
      sql`select null::uuid as environment_id, 'workspace' as key, workspace_name as text from workspace`,
  },
  { resource: 'user', format: 'plain-name', rows: ofWorkspace('users', 'id', 'name') },
  { resource: 'user', format: 'plain-email', rows: ofWorkspace('users', 'id', 'email') },
  { resource: 'role', format: 'plain-name', rows: ofWorkspace('roles', 'key', 'name') },
  { resource: 'access_token', format: 'plain-name', rows: ofWorkspace('access_tokens', 'id', 'name') },
  { resource: 'passkey', format: 'plain-name', rows: ofWorkspace('passkeys', 'id', 'name') },
]

/** The rows before the first one. */
export const NO_ROW = { environment_id: null, key: '' }

/** Lists the next names with a character beside those of ASCII that are seen. All others fit. */
export async function listNames(
  db: Kysely<Database>,
  rows: RawBuilder<unknown>,
  after: Pick<NamedRow, 'environment_id' | 'key'>,
): Promise<readonly NamedRow[]> {
  const place = sql`(coalesce(environment_id::text, ''), key collate "C")`
  const found = await sql<NamedRow>`
    select environment_id, key, text from (${rows}) named
    where text collate "C" ~ '[^ -~]' and ${place} > (${after.environment_id ?? ''}::text, ${after.key}::text collate "C")
    order by coalesce(environment_id::text, ''), key collate "C" limit ${NAMES_READ}::int`.execute(db)
  return found.rows
}
