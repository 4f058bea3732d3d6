import { Readable } from 'node:stream'
import type { AuditVerification } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { WORKSPACE_CHAIN } from '../../changes/sealed-entry.ts'
import { createSemaphore } from '../../platform/concurrency/semaphore.ts'
import type { Database } from '../../platform/db/tables.ts'
import { type ChainFilter, type EntryRow, findChains } from './chain-queries.ts'
import { findClosings, findLostChains } from './lost-chain-queries.ts'
import { type KnownEnd, verifyChain } from './verify-chain.ts'

export interface Verification extends ChainFilter {
  readonly from_seq?: number | undefined
}

export type VerifyAudit = (verification: Verification) => Readable

/** Creates the verification of chains, one at a time. Its stream has a line for each chain. */
export function createVerifyAudit(db: Kysely<Database>): VerifyAudit {
  const inTurn = createSemaphore(1)
  return (verification) => {
    let isLeft = false
    const lines = Readable.from(
      verifyEach(db, verification, inTurn, () => isLeft),
      { objectMode: false },
    )
    lines.once('close', () => {
      isLeft = true
    })
    return lines
  }
}

async function* verifyEach(
  db: Kysely<Database>,
  { from_seq, ...filter }: Verification,
  inTurn: ReturnType<typeof createSemaphore>,
  isClosed: () => boolean,
): AsyncGenerator<string> {
  const isWhole = filter.project_id === undefined && filter.chain === undefined
  const ends = isWhole ? new Map<string, KnownEnd>() : await readEnds(db, filter)
  const rows = await findChains(db, filter)
  // The workspace's chain is first: its entries name the ends of closed chains.
  for (const row of rows.toSorted((a, b) => Number(isOfWorkspace(b)) - Number(isOfWorkspace(a)))) {
    const end = ends.get(row.chain)
    ends.delete(row.chain)
    const options = {
      ...{ fromSeq: from_seq, ends: end ? [end] : [], isClosed },
      onEntry: (entry: EntryRow) => {
        if (isWhole && isOfWorkspace(row))
          for (const closed of closedChains(entry)) ends.set(closed.chain, closed)
      },
    }
    const verified = await inTurn(() => verifyChain(db, row, options))
    if (isClosed()) return
    yield `${JSON.stringify(await withEnd(db, verified, end))}\n`
  }
  for (const lost of await findLost(db, filter, [...ends.keys()])) yield `${JSON.stringify(lost)}\n`
}

const isOfWorkspace = ({ chain }: { readonly chain: string }): boolean => chain === WORKSPACE_CHAIN

/** Reads the ends of closed chains where the workspace's chain is not verified itself. */
async function readEnds(db: Kysely<Database>, filter: ChainFilter): Promise<Map<string, KnownEnd>> {
  const closings = await findClosings(db, filter)
  const ends = closings.flatMap(closedChains).filter(({ chain }) => (filter.chain ?? chain) === chain)
  return new Map(ends.map((end) => [end.chain, end]))
}

/** A chain that was cut back together with its row is shorter than the entry that closed it states. */
async function withEnd(
  db: Kysely<Database>,
  verified: AuditVerification,
  end: KnownEnd | undefined,
): Promise<AuditVerification> {
  if (!verified.ok || end === undefined || verified.head.seq >= end.seq) return verified
  // It may have grown and been closed since its row was read.
  const [now] = await findChains(db, { chain: verified.chain })
  if (now !== undefined && now.seq >= end.seq) return verified
  const first_bad = { id: null, seq: verified.head.seq + 1, problem: 'truncated' } as const
  return { ...verified, ok: false, first_bad }
}

function closedChains({ metadata }: { readonly metadata: string | null }): readonly KnownEnd[] {
  if (!metadata?.includes('"closed_chains"')) return []
  // The server has written it. Outside of a whole verification nothing states it: anyone may have changed it.
  const { closed_chains } = JSON.parse(metadata) as { closed_chains?: unknown }
  return Array.isArray(closed_chains) ? closed_chains.filter(isKnownEnd) : []
}

function isKnownEnd(value: unknown): value is KnownEnd {
  const { chain, hash, seq }: Partial<Record<keyof KnownEnd, unknown>> = Object(value)
  return typeof chain === 'string' && typeof hash === 'string' && typeof seq === 'number'
}

/** Returns a line for each chain that the filter means and that has no row. `closed` are those that ended. */
async function findLost(
  db: Kysely<Database>,
  filter: ChainFilter,
  closed: readonly string[],
): Promise<readonly AuditVerification[]> {
  const found = await findLostChains(db, filter)
  const lost = new Map<string, string | null>()
  // A chain was closed while the others were read when its row is there by now.
  for (const chain of closed) {
    const [row] = await findChains(db, { chain })
    if (row === undefined) lost.set(chain, filter.project_id ?? null)
  }
  for (const { chain, project_id } of found) {
    const isMeant = filter.project_id === undefined || filter.project_id === project_id
    if (isMeant) lost.set(chain, lost.get(chain) ?? project_id)
  }
  return [...lost].map(([chain, project_id]) => lostChain(chain, project_id))
}

const lostChain = (chain: string, project_id: string | null): AuditVerification => ({
  ...{ chain, project_id, entries: 0, head: { seq: 0, hash: '0'.repeat(64) }, ok: false },
  first_bad: { id: null, seq: 1, problem: 'truncated' },
})
