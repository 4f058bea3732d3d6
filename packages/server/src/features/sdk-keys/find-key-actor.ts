import type { Kysely } from 'kysely'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import { equalSecrets } from '../../platform/crypto/equal-secrets.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import type { Database } from '../../platform/db/tables.ts'
import { defaultEnvironmentOfOldestProject } from '../environments/index.ts'
import { findKeyHolder } from './queries.ts'

/** The name that the audit log gives to the key of the setting. */
const LEGACY_KEY_NAME = 'SDK_KEY'

/**
 * Asks the database whom a key belongs to; null when to nobody. A stored record goes before the legacy SDK_KEY setting,
 * which stands for the default environment of the oldest project (docs/operations.md).
 */
export async function findKeyActor(
  db: Kysely<Database>,
  { key, legacySdkKey }: { readonly key: string; readonly legacySdkKey: string | null },
): Promise<SdkKeyActor | null> {
  const holder = await findKeyHolder(db, hashSecret(key))
  if (holder) return { kind: 'sdk_key', ...holder }
  if (legacySdkKey === null || !equalSecrets(key, legacySdkKey)) return null
  const place = await defaultEnvironmentOfOldestProject(db)
  if (!place) return null
  const ownerless = { key_id: null, name: LEGACY_KEY_NAME, createdBy: null, isSeeded: false }
  return { kind: 'sdk_key', key_kind: 'server', ...ownerless, ...place }
}
