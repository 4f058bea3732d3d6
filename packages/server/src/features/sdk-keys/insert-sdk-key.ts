import type { CreatedSdkKey } from '@burgee/contract'
import type { Transaction } from 'kysely'
import type { KeyKind } from '../../kernel/actor.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import { newSecret, previewSecret } from '../../platform/crypto/new-secret.ts'
import type { Database } from '../../platform/db/tables.ts'
import { insertSdkKeyRow } from './queries.ts'

export interface NewSdkKey {
  readonly project_id: string
  /** One of the project's. */
  readonly environment: { readonly id: string; readonly name: string }
  readonly name: string
  readonly kind: KeyKind
  readonly origin: KeyOrigin
  /** ISO-8601 UTC. */
  readonly now: string
  /** The value to use rather than a generated one. */
  readonly key?: string
}

/** Where a key comes from. */
export interface KeyOrigin {
  /** The key that it is created with; null where it is none, or the one of the setting SDK_KEY. */
  readonly parent_id: number | null
  /** The user that it is created by, also by way of other keys. */
  readonly createdBy: number | null
  /** It comes with its project. */
  readonly isSeeded: boolean
}

/** Stores a key's hash and preview. The full value is in the answer and nowhere else. */
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
