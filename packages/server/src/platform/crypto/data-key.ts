import { hkdfSync, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { lockDataKey } from '../db/data-key-row.ts'
import type { Database } from '../db/tables.ts'
import { changeWorkspace } from '../db/workspace-row.ts'
import type { RandomBytes } from './new-secret.ts'
import { openBytes, sealBytes } from './sealed-bytes.ts'

/** Encrypts secrets for the database: webhook secrets and chat addresses (docs/operations.md). */
export interface DataKey {
  /** Encrypts a text. The result starts with its version and differs each time. */
  seal(text: string): string
  /** Decrypts a text. Throws when it was changed or encrypted with another key. */
  open(sealed: string): string
}

/** The unwrapped data key, from which keys for other purposes are derived. */
export interface OpenedDataKey extends DataKey {
  /** Derives 32 bytes for a purpose, equal on every instance of the database. */
  derive(purpose: string): Uint8Array
}

/**
 * Thrown when no secret of SESSION_SECRET unwraps the data key. The message is for the person who starts the
 * server.
 */
export class DataKeyLocked extends Error {}

const KEY_BYTES = 32
const WRAP_SALT = 'burgee'
const WRAP_PURPOSE = 'data key'
const TEXT_PURPOSE = 'secret'

interface DataKeyDeps {
  readonly db: Kysely<Database>
  readonly random?: RandomBytes
}

/**
 * Opens the data key of the database: 32 random bytes, created by the first instance and stored wrapped with
 * the first of `sessionSecrets`. Any of them unwraps it; after an older one did, it is wrapped again. Throws
 * `DataKeyLocked` when none does and setup is complete, because everything encrypted with the old key would
 * be lost.
 */
export async function openDataKey(
  { db, random = randomBytes }: DataKeyDeps,
  sessionSecrets: readonly string[],
): Promise<OpenedDataKey> {
  const wrappingKeys = sessionSecrets.map(deriveWrappingKey)
  const [current] = wrappingKeys
  if (current === undefined) throw new Error('a data key needs at least one session secret')
  const key = await db.transaction().execute(async (tx) => {
    const { data_key: stored, is_setup_complete } = await lockDataKey(tx)
    const atOnce = stored === null ? null : openBytes(current, WRAP_PURPOSE, stored)
    if (atOnce !== null) return atOnce
    const unwrapped = stored === null ? null : unwrap(wrappingKeys, stored)
    // Before setup nothing is encrypted, so a start with another SESSION_SECRET loses nothing.
    if (unwrapped === null && stored !== null && is_setup_complete) throw locked()
    const known = unwrapped ?? random(KEY_BYTES)
    await changeWorkspace(tx, { data_key: sealBytes(current, WRAP_PURPOSE, known, random) })
    return known
  })
  return {
    seal: (text) => sealBytes(key, TEXT_PURPOSE, Buffer.from(text), random),
    open: (sealed) => {
      const bytes = openBytes(key, TEXT_PURPOSE, sealed)
      if (bytes === null)
        throw new Error('a sealed secret does not open: it was changed, or is of another database')
      return bytes.toString()
    },
    derive: (purpose) => new Uint8Array(hkdfSync('sha256', key, WRAP_SALT, purpose, KEY_BYTES)),
  }
}

function unwrap(wrappingKeys: readonly Uint8Array[], stored: string): Uint8Array | null {
  for (const wrappingKey of wrappingKeys) {
    const key = openBytes(wrappingKey, WRAP_PURPOSE, stored)
    if (key !== null) return key
  }
  return null
}

const locked = () =>
  new DataKeyLocked(
    'The stored webhook secrets and chat URLs cannot be read: the key to them is sealed with an earlier SESSION_SECRET. ' +
      'SESSION_SECRET must include the secret it was sealed with; to change it, put the new one first and keep the old one behind a comma for one start.',
  )

const deriveWrappingKey = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, WRAP_SALT, WRAP_PURPOSE, KEY_BYTES))
