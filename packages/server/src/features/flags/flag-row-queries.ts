import type { Flag, FlagTimes } from '@burgee/contract'
import { type Kysely, sql } from 'kysely'
import type { EnvironmentWrite } from '../../changes/index.ts'
import { actorName } from '../../kernel/actor.ts'
import type { Database } from '../../platform/db/tables.ts'
import { extensionsOf } from './flag-extensions.ts'

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

/** Inserts or updates the flag's row. */
export async function saveFlag(
  { author, environment, now, tx }: Pick<EnvironmentWrite, 'author' | 'environment' | 'now' | 'tx'>,
  flag: Flag,
): Promise<FlagTimes> {
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
    extensions: JSON.stringify(extensionsOf(flag)),
    updated_at: now,
    updated_by: actorName(author),
  }
  return tx
    .insertInto('flags')
    .values({ environment_id: environment.id, key: flag.key, created_at: now, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'key']).doUpdateSet({ ...columns, ...KEPT_WHERE_ALIKE }),
    )
    .returning(TIME_COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Keeps the stored value of a large column when it does not change, so that it is not written again. */
const keptWhereAlike = (column: 'rules' | 'default_value' | 'disabled_value' | 'variants' | 'extensions') => {
  const [stored, given] = [sql.ref(`flags.${column}`), sql.ref(`excluded.${column}`)]
  return sql<string>`case when ${stored}::text = ${given}::text then ${stored} else ${given} end`
}
const KEPT_WHERE_ALIKE = {
  rules: keptWhereAlike('rules'),
  default_value: keptWhereAlike('default_value'),
  disabled_value: keptWhereAlike('disabled_value'),
  variants: keptWhereAlike('variants'),
  extensions: keptWhereAlike('extensions'),
}

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
