import type { Flag, FlagTimes } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { EnvironmentWrite } from '../../changes/index.ts'
import { actorName } from '../../kernel/actor.ts'
import { compileStatement } from '../../platform/db/compile-statement.ts'
import type { Database } from '../../platform/db/tables.ts'
import { extensionsOf } from '../flag-model/index.ts'

/** When it was created and changed, and by whom: shown beside a flag, and no part of its states. */
export const TIME_COLUMNS = ['created_at', 'updated_at', 'updated_by'] as const

/** Returns the times of a flag that exists. */
export async function readFlagTimes(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<FlagTimes> {
  return db
    .selectFrom('flags')
    .select(TIME_COLUMNS)
    .where('environment_id', '=', environment_id)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
}

type FlagWrite = Pick<EnvironmentWrite, 'author' | 'environment' | 'now' | 'tx'>

/** Inserts or updates the flag's row. */
export async function saveFlag({ author, environment, now, tx }: FlagWrite, flag: Flag): Promise<FlagTimes> {
  const saved = SAVE_FLAG({
    environment_id: environment.id,
    key: flag.key,
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
    extensions: JSON.stringify(extensionsOf(flag)),
    now,
    updated_by: actorName(author),
  })
  const { rows } = await tx.executeQuery<FlagTimes>(saved)
  const [times] = rows
  if (!times) throw new Error('a saved flag has a row')
  return times
}

/** Returns what `saveFlag` returns for a flag that exists, before it was saved. */
export const timesOfSaved = ({ author, now }: FlagWrite, created_at: string): FlagTimes => ({
  created_at,
  updated_at: now,
  updated_by: actorName(author),
})

/** Keeps the stored value of a large column when it does not change, so that it is not written again. */
const keptWhereAlike = (column: string) => `${column} = case
  when flags.${column}::text = excluded.${column}::text then flags.${column} else excluded.${column} end`

const SAVE_FLAG = compileStatement(`
  insert into flags (environment_id, key, is_enabled, rollout_percentage, description, rules, flag_type, default_value,
    disabled_value, variants, prerequisites, tags, owner_email, archived_at, revision, extensions, updated_at, updated_by, created_at)
  values (:environment_id::uuid, :key, :is_enabled, :rollout_percentage, :description, :rules, :flag_type, :default_value,
    :disabled_value, :variants, :prerequisites, :tags, :owner_email, :archived_at, :revision, :extensions,
    :now::timestamptz, :updated_by, :now::timestamptz)
  on conflict (environment_id, key) do update set
    is_enabled = excluded.is_enabled, rollout_percentage = excluded.rollout_percentage, description = excluded.description,
    ${['rules', 'default_value', 'disabled_value', 'variants', 'extensions'].map(keptWhereAlike).join(', ')},
    flag_type = excluded.flag_type, prerequisites = excluded.prerequisites, tags = excluded.tags,
    owner_email = excluded.owner_email, archived_at = excluded.archived_at, revision = excluded.revision,
    updated_at = excluded.updated_at, updated_by = excluded.updated_by
  returning ${TIME_COLUMNS.join(', ')}`)

/** Deletes the flag's row. Returns its times as they were. */
export async function removeFlag(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
): Promise<FlagTimes> {
  return db
    .deleteFrom('flags')
    .where('environment_id', '=', environment_id)
    .where('key', '=', key)
    .returning(TIME_COLUMNS)
    .executeTakeFirstOrThrow()
}
