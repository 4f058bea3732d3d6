import type { CreatedSdkKey } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import { newSecret, previewSecret } from '../../platform/crypto/new-secret.ts'
import type { Database } from '../../platform/db/tables.ts'
import { insertSdkKeyRow } from './queries.ts'

export interface NewSdkKey {
  readonly project_id: string
  /** One of the project's. */
  readonly environment: { readonly id: string; readonly name: string }
  readonly name: string
  readonly kind: 'server' | 'client'
  /** ISO-8601 UTC. */
  readonly now: string
  /** The value to use rather than a generated one. */
  readonly key?: string
}

/** Stores a key's hash and preview. The full value is in the answer and nowhere else. */
export async function insertSdkKey(
  tx: Transaction<Database>,
  { environment, key = newSecret('sk_live_'), kind, name, now, project_id }: NewSdkKey,
): Promise<CreatedSdkKey> {
  const prefix = previewSecret(key)
  const shown = { name, kind, prefix, environment_id: environment.id, created_at: now }
  const { id } = await insertSdkKeyRow(tx, { ...shown, project_id, key_hash: hashSecret(key) })
  return { id, ...shown, environment_name: environment.name, key }
}
