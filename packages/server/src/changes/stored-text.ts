import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { splitIntoChunks } from '../platform/concurrency/split-into-chunks.ts'
import { shareTurn } from '../platform/concurrency/turns.ts'
import type { Database } from '../platform/db/tables.ts'
import { findMissingChunks, insertChunks } from './chunk-queries.ts'

/** A JSON text in a row: whole, or as the hashes of its chunks. */
export interface StoredText {
  readonly json: string | null
  /** The concatenated SHA-256 hashes as `\x…`, the text format of PostgreSQL for bytes. */
  readonly chunks: string | null
  /** The bytes of the whole text; null when there is none. */
  readonly size: number | null
}

export interface StoredTexts {
  readonly texts: readonly StoredText[]
  /** The bytes that storing the texts added, without the rows that contain them. */
  readonly newChunkBytes: number
}

/**
 * The length up to which a text is stored whole. Nearly every flag is shorter, and chunks would save nothing.
 */
const WHOLE_MAX_CHARACTERS = 16 * 1024
/** The bytes that a chunk takes beside its content: its key, twice, and the row. */
const CHUNK_OVERHEAD_BYTES = 150

const NO_TEXT: StoredText = { json: null, chunks: null, size: null }

/**
 * Stores JSON texts of an environment. Large ones are split into chunks, and only chunks that the
 * environment's month lacks are written: the state after a change is mostly the state before it. Call it
 * while the environment is locked.
 */
export async function storeTexts(
  tx: Transaction<Database>,
  environment_id: string,
  texts: readonly (string | null)[],
): Promise<StoredTexts> {
  const chunks = new Map<string, Buffer>()
  const stored: StoredText[] = []
  for (const text of texts) {
    // Chunking takes about 2 ms for each megabyte.
    await shareTurn()
    stored.push(toStoredText(text, chunks))
  }
  return { texts: stored, newChunkBytes: await storeChunks(tx, environment_id, chunks) }
}

function toStoredText(text: string | null, chunks: Map<string, Buffer>): StoredText {
  if (text === null) return NO_TEXT
  if (text.length <= WHOLE_MAX_CHARACTERS) return { json: text, chunks: null, size: Buffer.byteLength(text) }
  const bytes = Buffer.from(text)
  const hashes = splitIntoChunks(bytes).map((chunk) => {
    const hash = createHash('sha256').update(chunk).digest('hex')
    chunks.set(hash, chunk)
    return hash
  })
  return { json: null, chunks: `\\x${hashes.join('')}`, size: bytes.length }
}

async function storeChunks(
  tx: Transaction<Database>,
  environment_id: string,
  chunks: ReadonlyMap<string, Buffer>,
): Promise<number> {
  if (chunks.size === 0) return 0
  const missing = await findMissingChunks(tx, environment_id, [...chunks.keys()])
  const found = missing.flatMap((hash) => {
    const content = chunks.get(hash)
    return content ? [{ hash: Buffer.from(hash, 'hex'), content }] : []
  })
  if (found.length > 0) await insertChunks(tx, environment_id, found)
  return found.reduce((sum, { content }) => sum + content.length + CHUNK_OVERHEAD_BYTES, 0)
}
