import type { Kysely } from 'kysely'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import { equalSecrets } from '../../platform/crypto/equal-secrets.ts'
import type { Database } from '../../platform/db/tables.ts'
import { defaultEnvironmentOfOldestProject } from '../environments/index.ts'
import { findKeyHolder, findKeyHolderById } from './queries.ts'

/** The name of the setting's key in the audit log. */
const LEGACY_KEY_NAME = 'SDK_KEY'

interface PresentedKey {
  readonly key: string
  readonly hash: string
  readonly legacySdkKey: string | null
}

/**
 * Queries the owner of a key; null when it is unknown. A stored record has priority over the legacy SDK_KEY
 * setting, which belongs to the default environment of the oldest project (docs/operations.md).
 */
export async function findKeyActor(
  db: Kysely<Database>,
  { hash, key, legacySdkKey }: PresentedKey,
): Promise<SdkKeyActor | null> {
  const holder = await findKeyHolder(db, hash)
  if (holder) return { kind: 'sdk_key', ...holder }
  if (legacySdkKey === null || !equalSecrets(key, legacySdkKey)) return null
  return findLegacyActor(db)
}

/** Queries the owner of a key by its id, which is null for the legacy key; null when it was revoked. */
export async function findKeyActorById(
  db: Kysely<Database>,
  { key_id, legacySdkKey }: { readonly key_id: number | null; readonly legacySdkKey: string | null },
): Promise<SdkKeyActor | null> {
  if (key_id === null) return legacySdkKey === null ? null : findLegacyActor(db)
  const holder = await findKeyHolderById(db, key_id)
  return holder ? { kind: 'sdk_key', ...holder } : null
}

async function findLegacyActor(db: Kysely<Database>): Promise<SdkKeyActor | null> {
  const place = await defaultEnvironmentOfOldestProject(db)
  if (!place) return null
  const ownerless = { key_id: null, name: LEGACY_KEY_NAME, createdBy: null, isSeeded: false }
  return { kind: 'sdk_key', key_kind: 'server', ...ownerless, ...place }
}
