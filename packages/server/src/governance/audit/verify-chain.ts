import { createHash } from 'node:crypto'
import {
  type AuditProblem,
  type AuditVerification,
  encodeAuditEntry,
  type HashedEntry,
} from '@burgee/contract'
import type { Kysely } from 'kysely'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import {
  type ChainRow,
  type EntryRow,
  findChains,
  findUnchained,
  readChain,
  readGenesis,
} from './chain-queries.ts'

type FirstBad = NonNullable<AuditVerification['first_bad']>

/** An end of a chain that is known from elsewhere: the entry that closed it. */
export interface KnownEnd {
  readonly chain: string
  readonly seq: number
  readonly hash: string
}

interface Verified {
  readonly entries: number
  readonly firstBad: FirstBad | null
}

interface VerifyOptions {
  readonly fromSeq?: number | undefined
  /** Places of this chain that other entries name. */
  readonly ends: readonly KnownEnd[]
  /** Called with each entry that fits. */
  readonly onEntry: (entry: EntryRow) => void
  readonly isClosed: () => boolean
}

const ZEROS = '0'.repeat(64)

/** Reads and hashes the entries of a chain, in slices, and returns the first that does not fit. */
export async function verifyChain(
  db: Kysely<Database>,
  row: ChainRow,
  options: VerifyOptions,
): Promise<AuditVerification> {
  const { chain, head, project_id, seq } = row
  const { entries, firstBad } = await findFirstBad(db, row, options)
  return {
    ...{ chain, project_id, entries, head: { seq, hash: head }, ok: firstBad === null },
    ...(firstBad && { first_bad: firstBad }),
  }
}

async function findFirstBad(db: Kysely<Database>, row: ChainRow, options: VerifyOptions): Promise<Verified> {
  const { fromSeq } = options
  if (fromSeq === undefined && !row.genesis_dropped && !(await genesisFits(db, row, options)))
    return { entries: 0, firstBad: bad('genesis') }
  const walked = await walk(db, row, options)
  if (walked.firstBad || options.isClosed()) return walked
  const unchained = await findUnchained(db, row)
  if (unchained !== null) return { ...walked, firstBad: bad('inserted', { id: unchained, seq: null }) }
  if (compareEnd(walked, row, row) === null) return walked
  // Entries that were stored meanwhile move the row of the chain too.
  const [now] = await findChains(db, { chain: row.chain })
  return { ...walked, firstBad: compareEnd(walked, row, now ?? row) }
}

const bad = (
  problem: AuditProblem,
  { id, seq }: { readonly id: number | null; readonly seq: number | null } = { id: null, seq: null },
): FirstBad => ({ id, seq, problem })

async function genesisFits(
  db: Kysely<Database>,
  row: ChainRow,
  { isClosed }: VerifyOptions,
): Promise<boolean> {
  if (row.genesis_id === 0) return row.genesis === ZEROS
  let hash = ZEROS
  for (let afterId = 0; !isClosed(); ) {
    const page = await readGenesis(db, row, afterId)
    for (const entry of page) {
      await shareTurn()
      hash = hashOf(hash, { ...entry, chain: null, seq: null })
      afterId = entry.id
    }
    if (page.length === 0) return hash === row.genesis
  }
  return true
}

interface Walked extends Verified {
  readonly last: { readonly seq: number; readonly id: number; readonly hash: string }
}

async function walk(db: Kysely<Database>, row: ChainRow, options: VerifyOptions): Promise<Walked> {
  const { ends, fromSeq = 1, isClosed, onEntry } = options
  const base = row.base_seq
  let last = { seq: base, id: 0, hash: row.base_seq === 0 ? row.genesis : row.base_hash }
  let entries = 0
  const known = new Map(ends.map(({ hash, seq }) => [seq, hash]))
  if (fromSeq > base + 1) {
    const [before] = await readChain(db, row.chain, { seq: fromSeq - 1, id: 0 })
    if (before?.seq !== fromSeq - 1)
      return { entries, last, firstBad: bad('missing', { id: null, seq: fromSeq - 1 }) }
    last = { seq: fromSeq - 1, id: before.id, hash: before.hash ?? '' }
  }
  while (!isClosed()) {
    const page = await readChain(db, row.chain, last)
    if (page.length === 0) break
    for (const entry of page) {
      await shareTurn()
      const problem = problemOf(entry, last, known)
      if (problem) return { entries, last, firstBad: problem }
      onEntry(entry)
      entries += 1
      last = { seq: entry.seq ?? 0, id: entry.id, hash: entry.hash ?? '' }
    }
  }
  return { entries, last, firstBad: null }
}

function problemOf(
  entry: EntryRow,
  last: Walked['last'],
  known: ReadonlyMap<number, string>,
): FirstBad | null {
  const { hash, id, is_readable, seq } = entry
  if (seq === null || seq <= last.seq) return bad('inserted', { id, seq })
  if (seq > last.seq + 1) return bad('missing', { id, seq: last.seq + 1 })
  const fits = is_readable && hash === hashOf(last.hash, entry) && (known.get(seq) ?? hash) === hash
  return fits ? null : bad('changed', { id, seq })
}

/** The chain may have grown while it was read, and has not shrunk. */
function compareEnd({ last }: Walked, before: ChainRow, now: ChainRow): FirstBad | null {
  if (last.seq < before.seq) return bad('truncated', { id: null, seq: last.seq + 1 })
  if (last.seq > now.seq) return bad('inserted', { id: last.id, seq: last.seq })
  const end = last.seq === now.seq ? now : last.seq === before.seq ? before : null
  return end === null || end.head === last.hash ? null : bad('changed', last)
}

function hashOf(previous: string, entry: HashedEntry): string {
  return createHash('sha256')
    .update(Buffer.from(previous, 'hex'))
    .update(encodeAuditEntry(entry, toUtf8))
    .digest('hex')
}

const toUtf8 = (text: string): Uint8Array => Buffer.from(text)
