import { Readable } from 'node:stream'
import type { ListDeps } from '../../platform/answer-list.ts'
import { readPage } from '../../platform/db/bounded-page.ts'
import { type AuditFilter, auditList } from './queries.ts'

/** What is read at once. The memory for it is taken from the budget of large answers until the caller has it. */
const PIECE_BYTES = 1024 * 1024
const PIECE_ENTRIES = 500
/** Once its head is sent an export can only be cut. It waits until slow readers of others were ended to make room. */
const WAIT_MS = 60_000
/** What is handed on at once, so that a slow reader leaves little in buffers. */
const SLICE_BYTES = 64 * 1024

/** Every entry that matches, newest first, one JSON text a line, read from the database as fast as it is taken. */
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
  let beforeId: number | null = null
  do {
    const lease = await budget.take(PIECE_BYTES, WAIT_MS)
    try {
      lease.onEvict(() => stop(new Error('the reader of an export is too slow')))
      const piece: Piece = await readPiece(db, filter, beforeId)
      beforeId = piece.nextId
      yield* slices(piece.bytes)
    } finally {
      lease.release()
    }
  } while (beforeId !== null)
}

interface Piece {
  readonly bytes: Buffer
  /** Where the next piece begins; null: this was the last. */
  readonly nextId: number | null
}

/** While a reader takes its time over a piece, only these bytes stay in memory, and no texts that they were made of. */
async function readPiece(db: ListDeps['db'], filter: AuditFilter, beforeId: number | null): Promise<Piece> {
  const list = auditList(db, filter, { beforeId, limit: PIECE_ENTRIES, offset: 0 })
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
