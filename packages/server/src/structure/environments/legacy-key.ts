import type { Environment, Warning } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { defaultEnvironmentOfOldestProject } from './queries.ts'

interface LegacyKeyDeps {
  readonly db: Kysely<Database>
  /** True when the setting SDK_KEY is used. */
  readonly hasLegacyKey: boolean
}

/** Finds the environment that the setting SDK_KEY belongs to; null when the setting is not used. */
export async function findLegacyEnvironment({ db, hasLegacyKey }: LegacyKeyDeps): Promise<string | null> {
  if (!hasLegacyKey) return null
  return (await defaultEnvironmentOfOldestProject(db))?.environment_id ?? null
}

/**
 * Adds `has_legacy_key`, so that people see which environment has the key before they make another one the
 * default.
 */
export async function withLegacyKey(
  deps: LegacyKeyDeps,
  environments: readonly Environment[],
): Promise<Environment[]> {
  if (!deps.hasLegacyKey) return [...environments]
  const legacy = await findLegacyEnvironment(deps)
  return environments.map((environment) => ({ ...environment, has_legacy_key: environment.id === legacy }))
}

export const LEGACY_KEY_MOVED: Warning = {
  code: 'legacy_key_moved',
  path: '',
  message:
    'The setting SDK_KEY is a key of this environment now. Programs that use it receive the flags of this environment.',
}
