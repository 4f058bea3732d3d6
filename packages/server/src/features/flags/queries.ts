import type { Flag } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import type { SegmentRules } from './expand-rules.ts'

/** The columns that make up a flag, in the order of the specification. */
const COLUMNS = [
  'key',
  'is_enabled',
  'rollout_percentage',
  'description',
  'rules',
  'flag_type',
  'default_value',
  'disabled_value',
  'variants',
  'prerequisites',
  'tags',
  'owner_email',
  'archived_at',
  'revision',
] as const

export async function findFlag(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<Flag | undefined> {
  return db
    .selectFrom('flags')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function flagExists(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('flags')
    .select('key')
    .where('environment_id', '=', environment_id)
    .where('key', '=', key)
    .executeTakeFirst()
  return found !== undefined
}

/** Flags by key, in code unit order. */
export async function listFlags(db: Kysely<Database>, environment_id: string): Promise<Flag[]> {
  return db
    .selectFrom('flags')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .orderBy(sql`key collate "C"`)
    .execute()
}

/** Creates the flag's row, or writes it over. */
export async function saveFlag(
  db: Kysely<Database>,
  environment_id: string,
  flag: Flag,
  now: string,
): Promise<void> {
  const columns = {
    is_enabled: flag.is_enabled,
    rollout_percentage: flag.rollout_percentage,
    description: flag.description,
    rules: JSON.stringify(flag.rules),
    flag_type: flag.flag_type,
    default_value: JSON.stringify(flag.default_value),
    disabled_value: JSON.stringify(flag.disabled_value),
    variants: JSON.stringify(flag.variants),
    prerequisites: JSON.stringify(flag.prerequisites),
    tags: JSON.stringify(flag.tags),
    owner_email: flag.owner_email,
    archived_at: flag.archived_at,
    revision: flag.revision,
    updated_at: now,
  }
  await db
    .insertInto('flags')
    .values({ environment_id, key: flag.key, created_at: now, ...columns })
    .onConflict((conflict) => conflict.columns(['environment_id', 'key']).doUpdateSet(columns))
    .execute()
}

export async function removeFlag(db: Kysely<Database>, environment_id: string, key: string): Promise<void> {
  await db.deleteFrom('flags').where('environment_id', '=', environment_id).where('key', '=', key).execute()
}

/** The rules of every segment of the environment. */
export async function readSegmentRules(db: Kysely<Database>, environment_id: string): Promise<SegmentRules> {
  const rows = await db
    .selectFrom('segments')
    .select(['key', 'rules'])
    .where('environment_id', '=', environment_id)
    .execute()
  return new Map(rows.map(({ key, rules }) => [key, rules]))
}

/** Flags that name any segment, archived ones included. */
export async function listFlagsNamingSegments(db: Kysely<Database>, environment_id: string): Promise<Flag[]> {
  return db
    .selectFrom('flags')
    .select(COLUMNS)
    .where('environment_id', '=', environment_id)
    .where(sql<boolean>`jsonb_path_exists(rules::jsonb, '$[*].segment_key')`)
    .orderBy(sql`key collate "C"`)
    .execute()
}

/** The environment's revision and project, as one statement with nothing else: its caller's transaction is a snapshot. */
export async function findRevision(
  db: Kysely<Database>,
  environment_id: string,
): Promise<{ project_id: string; revision: number } | undefined> {
  return db
    .selectFrom('environments')
    .select(['project_id', 'revision'])
    .where('id', '=', environment_id)
    .executeTakeFirst()
}
