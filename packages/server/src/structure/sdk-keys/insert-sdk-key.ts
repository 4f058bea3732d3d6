import type { CreatedSdkKey } from '@burgee/contract'
import type { Transaction } from 'kysely'
import type { KeyKind } from '../../kernel/actor.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import { newSecret, previewSecret } from '../../platform/crypto/new-secret.ts'
import type { Database } from '../../platform/db/tables.ts'
import { insertSdkKeyRow } from './queries.ts'

export interface NewSdkKey {
  readonly project_id: string
  /** The environment of the key, which is in the project. */
  readonly environment: { readonly id: string; readonly name: string }
  readonly name: string
  readonly kind: KeyKind
  readonly origin: KeyOrigin
  /** The time, ISO 8601 in UTC. */
  readonly now: string
  /** The value, instead of a generated one. */
  readonly key?: string
}

/** The origin of a key. */
export interface KeyOrigin {
  /** The key that creates it; null when none does, or the one of the setting SDK_KEY. */
  readonly parent_id: number | null
  /** The user who creates it, directly or through other keys. */
  readonly createdBy: number | null
  /** True when it is created with its project. */
  readonly isSeeded: boolean
}

/** Stores a key's hash and preview. Only the response has the full value. */
export async function insertSdkKey(
  tx: Transaction<Database>,
  { environment, key = newSecret('sk_live_'), kind, name, now, origin, project_id }: NewSdkKey,
): Promise<CreatedSdkKey> {
  const prefix = previewSecret(key)
  const { createdBy: created_by, isSeeded: is_seeded, parent_id } = origin
  const shown = { name, kind, prefix, parent_id, environment_id: environment.id, created_at: now }
  const hidden = { project_id, key_hash: hashSecret(key), created_by, is_seeded }
  const { id } = await insertSdkKeyRow(tx, { ...shown, ...hidden })
  return { id, ...shown, environment_name: environment.name, key }
}
