import { Readable } from 'node:stream'
import type { AuditVerification } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { WORKSPACE_CHAIN } from '../../platform/db/sealed-entry.ts'
import type { Database } from '../../platform/db/tables.ts'
import { createSemaphore } from '../../platform/semaphore.ts'
import { type ChainFilter, type EntryRow, findChains, findLostChains } from './chain-queries.ts'
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
  const ends = new Map<string, KnownEnd>()
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
    yield `${JSON.stringify(withEnd(verified, end))}\n`
  }
  if (!isWhole) return
  const lost = [...(await findLostChains(db)), ...ends.keys()]
  for (const chain of new Set(lost)) yield `${JSON.stringify(lostChain(chain))}\n`
}

const isOfWorkspace = ({ chain }: { readonly chain: string }): boolean => chain === WORKSPACE_CHAIN

/** A chain that was cut back together with its row is shorter than the entry that closed it says. */
function withEnd(verified: AuditVerification, end: KnownEnd | undefined): AuditVerification {
  if (!verified.ok || end === undefined || verified.head.seq >= end.seq) return verified
  const first_bad = { id: null, seq: verified.head.seq + 1, problem: 'truncated' } as const
  return { ...verified, ok: false, first_bad }
}

function closedChains({ metadata }: EntryRow): readonly KnownEnd[] {
  if (!metadata?.includes('"closed_chains"')) return []
  // It fits its hash, so the server has written it.
  const { closed_chains } = JSON.parse(metadata) as { closed_chains?: readonly KnownEnd[] }
  return closed_chains ?? []
}

const lostChain = (chain: string): AuditVerification => ({
  ...{ chain, project_id: null, entries: 0, head: { seq: 0, hash: '0'.repeat(64) }, ok: false },
  first_bad: { id: null, seq: 1, problem: 'truncated' },
})
