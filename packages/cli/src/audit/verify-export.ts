import { createHash } from 'node:crypto'
import { encodeAuditEntry, isObject } from '@burgee/contract'
import { CommandError, usageError } from '../command-error.ts'
import { splitObject } from './split-object.ts'

/** A place of a chain that is known: from an anchor, or from the heads of an export. */
export interface Anchor {
  readonly chain: string
  readonly seq: number
  readonly hash: string
}

/** The first problem of a chain. */
interface ExportProblem {
  readonly seq: number
  readonly id: number | null
  readonly problem: 'changed' | 'missing' | 'inserted' | 'truncated' | 'anchor'
}

export interface VerifiedChain {
  readonly chain: string
  readonly entries: number
  /** Entries whose predecessor is not in the export, so that only their successor vouches for them. */
  readonly unlinked: number
  readonly ok: boolean
  readonly first_bad?: ExportProblem
}

interface Head extends Anchor {
  readonly base_seq: number
  readonly base_hash: string
}

interface Link {
  readonly id: number
  readonly hash: string
  /** The hash that the entry has after a previous one; two where an empty state may be none. */
  readonly after: (previous: string) => readonly string[]
}

interface Chain {
  readonly links: Map<number, Link>
  readonly problems: ExportProblem[]
}

/**
 * Verifies the lines of an export of the audit log by themselves: every entry against the one before it in
 * its chain, the last ones against the heads in the last line, and all against anchors that were kept
 * elsewhere. With `isWhole` a missing entry is a problem, and so is a missing line of heads, without which
 * the end of a chain may be cut; an export with filters lacks entries.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  anchors: readonly Anchor[],
  isWhole: boolean,
): Promise<readonly VerifiedChain[]> {
  const chains = new Map<string, Chain>()
  const heads = new Map<string, Head>()
  const chainOf = (name: string): Chain => {
    const known = chains.get(name) ?? { links: new Map(), problems: [] }
    chains.set(name, known)
    return known
  }
  let hasHeads = false
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() === '') continue
    const parsed = parseLine(line, number)
    if (Array.isArray(parsed.heads)) {
      hasHeads = true
      for (const head of parsed.heads) heads.set(head.chain, head)
    } else if (typeof parsed.chain === 'string') addEntry(chainOf(parsed.chain), parsed, splitObject(line))
  }
  if (isWhole && !hasHeads) throw new CommandError(NO_HEADS)
  for (const { chain } of anchors) chainOf(chain)
  if (isWhole) for (const chain of heads.keys()) chainOf(chain)
  return [...chains].map(([name, chain]) => {
    const known = anchors.filter((anchor) => anchor.chain === name)
    return verifyOne(name, chain, { head: heads.get(name), anchors: known, isWhole })
  })
}

const NO_HEADS =
  'The export has no line with the heads of its chains, which is the last one of an export: its end is missing. Make the export again, or give --partial to verify only the entries that it has.'

/** An entry, or the heads of all chains. */
type ExportLine = ExportedEntry & { readonly heads?: readonly Head[] }

function parseLine(line: string, number: number): ExportLine {
  try {
    const parsed: ExportLine = JSON.parse(line)
    const { heads = [] } = parsed
    if (isObject(parsed) && (!Array.isArray(heads) || heads.every(isObject))) return parsed
  } catch {
    // A line that is no JSON is reported as one that is no object.
  }
  throw usageError(
    `Line ${number} of the export is no JSON object. If it is the last one, the file was cut: make the export again.`,
  )
}

interface ExportedEntry {
  readonly id: number
  readonly seq: number
  readonly chain: string
  readonly hash: string
  readonly project_id?: string | null
  readonly environment_id: string | null
  readonly flag_key: string
  readonly actor_email: string
  readonly action: string
  readonly created_at: string
}

function addEntry(
  { links, problems }: Chain,
  entry: ExportedEntry,
  texts: ReadonlyMap<string, string>,
): void {
  const { hash, id, seq } = entry
  if (links.has(seq)) problems.push({ seq, id, problem: 'inserted' })
  const text = (name: string): string | null => {
    const found = texts.get(name) ?? 'null'
    return found === 'null' ? null : found
  }
  // The list shows a state that there is not as an empty one.
  const states = (name: string) => (text(name) === '{}' ? [null, '{}'] : [text(name)])
  const variants = states('before_data').flatMap((before_data) =>
    states('after_data').map((after_data) =>
      encodeAuditEntry(
        {
          ...entry,
          project_id: entry.project_id ?? null,
          before_data,
          after_data,
          metadata: text('metadata'),
          created_at: entry.created_at.replace(/Z$/, '000Z'),
        },
        (value) => Buffer.from(value),
      ),
    ),
  )
  links.set(seq, { id, hash, after: (previous) => variants.map((bytes) => hashAfter(previous, bytes)) })
}

const hashAfter = (previous: string, bytes: Uint8Array): string =>
  createHash('sha256').update(Buffer.from(previous, 'hex')).update(bytes).digest('hex')

interface Known {
  readonly head: Head | undefined
  readonly anchors: readonly Anchor[]
  readonly isWhole: boolean
}

function verifyOne(chain: string, { links, problems }: Chain, known: Known): VerifiedChain {
  let unlinked = 0
  for (const seq of [...links.keys()].sort((a, b) => a - b)) {
    const link = links.get(seq)
    const previous = links.get(seq - 1)?.hash ?? baseBefore(seq, known.head)
    if (!link) continue
    if (previous === undefined) {
      unlinked += 1
      if (known.isWhole) problems.push({ seq: seq - 1, id: link.id, problem: 'missing' })
    } else if (!link.after(previous).includes(link.hash))
      problems.push({ seq, id: link.id, problem: 'changed' })
  }
  problems.push(...findWrongEnds(links, known))
  const [first_bad] = problems.sort((a, b) => a.seq - b.seq)
  const counted = { chain, entries: links.size, unlinked, ok: first_bad === undefined }
  return first_bad ? { ...counted, first_bad } : counted
}

const lastSeqOf = (links: ReadonlyMap<number, Link>): number =>
  [...links.keys()].reduce((last, seq) => Math.max(last, seq), 0)

const baseBefore = (seq: number, head: Head | undefined): string | undefined =>
  head !== undefined && seq === head.base_seq + 1 ? head.base_hash : undefined

function findWrongEnds(
  links: ReadonlyMap<number, Link>,
  { anchors, head, isWhole }: Known,
): readonly ExportProblem[] {
  const wrong: ExportProblem[] = []
  const last = links.get(head?.seq ?? 0)
  // Without a head the end of the chain is not known.
  if (!head && isWhole && links.size > 0)
    wrong.push({ seq: lastSeqOf(links) + 1, id: null, problem: 'truncated' })
  if (head && isWhole && head.seq > head.base_seq && !last)
    wrong.push({ seq: head.seq, id: null, problem: 'truncated' })
  if (head && last && last.hash !== head.hash) wrong.push({ seq: head.seq, id: last.id, problem: 'changed' })
  for (const { hash, seq } of anchors) {
    const found = links.get(seq)
    const isDropped = head !== undefined && seq <= head.base_seq
    if (found ? found.hash !== hash : isWhole && seq > 0 && !isDropped)
      wrong.push({ seq, id: found?.id ?? null, problem: 'anchor' })
  }
  return wrong
}
