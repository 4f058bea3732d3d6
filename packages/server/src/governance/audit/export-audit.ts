import { Readable } from 'node:stream'
import type { AuditHead } from '@burgee/contract'
import { readPage } from '../../platform/db/bounded-page.ts'
import type { ListDeps } from '../../platform/replies/reply-with-list.ts'
import { listAuditHeads } from './audit-heads.ts'
import { type AuditFilter, auditList } from './queries.ts'

/**
 * The bytes that are read at once. Their memory counts in the budget of large responses until the caller has
 * them.
 */
const PIECE_BYTES = 1024 * 1024
const PIECE_ENTRIES = 500
/**
 * The wait for memory. Once its head was sent an export can only be cut off, so it waits until slow readers
 * of other responses were ended.
 */
const WAIT_MS = 60_000
/** The bytes that are passed on at once, so that a slow reader leaves little in buffers. */
const SLICE_BYTES = 64 * 1024

/**
 * Streams every matching entry in the order of its list, one JSON text for each line, as fast as the reader
 * takes them. The last line has the ends of the chains.
 */
export function exportAudit(deps: ListDeps, filter: AuditFilter): Readable {
  const lines: Readable = Readable.from(
    readLines(deps, filter, (error) => lines.destroy(error)),
    { objectMode: false, highWaterMark: SLICE_BYTES },
  )
  return lines
}

async function* readLines(
  { budget, db }: ListDeps,
  filter: AuditFilter,
  stop: (error: Error) => void,
): AsyncGenerator<Buffer> {
  let lastId: number | null = null
  do {
    const lease = await budget.take(PIECE_BYTES, WAIT_MS)
    try {
      lease.onEvict(() => stop(new Error('the reader of an export is too slow')))
      const piece: Piece = await readPiece(db, filter, lastId)
      lastId = piece.nextId
      yield* slices(piece.bytes)
    } finally {
      lease.release()
    }
  } while (lastId !== null)
  yield Buffer.from(`${JSON.stringify({ heads: await headsOf(db, filter) })}\n`)
}

/** Returns the ends of the chains of which the export has entries, for its last line. */
async function headsOf(db: ListDeps['db'], filter: AuditFilter): Promise<readonly AuditHead[]> {
  const { environment_id, project_id, readable } = filter
  const heads = await listAuditHeads(db, { environment_id, project_id })
  if (readable === undefined) return heads
  return heads.filter(({ chain }) =>
    'only' in readable ? readable.only.includes(chain) : !readable.except.includes(chain),
  )
}

interface Piece {
  readonly bytes: Buffer
  /** The id where the next piece starts; null after the last one. */
  readonly nextId: number | null
}

/**
 * Reads a piece. While the reader takes it, only its bytes are in memory, not the texts that they were made
 * of.
 */
async function readPiece(db: ListDeps['db'], filter: AuditFilter, lastId: number | null): Promise<Piece> {
  const list = auditList(db, filter, { lastId, limit: PIECE_ENTRIES, offset: 0 })
  const bounds = { limit: PIECE_ENTRIES, maxBytes: PIECE_BYTES, atLeast: 1 } as const
  const { has_more, items } = await readPage(db, list, bounds)
  const last = items.at(-1)
  return {
    bytes: Buffer.from(items.map(({ item }) => `${item}\n`).join('')),
    nextId: has_more && last ? Number(last.place[0]) : null,
  }
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES)
}
