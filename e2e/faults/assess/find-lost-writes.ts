import type { StoredWrites } from '../../harness/read-stored-writes.ts'
import type { AcknowledgedWrite } from '../../harness/write-continuously.ts'

export interface LostWrites {
  /** The number of acknowledged writes that the change log lacks under the revision of their response. */
  readonly lost: number
  /**
   * The number of partly stored writes: a gap in the revisions, or a flag or an audit trail that contradicts
   * the change log.
   */
  readonly torn: number
}

/** Compares acknowledged writes with the database. */
export function findLostWrites(acknowledged: readonly AcknowledgedWrite[], stored: StoredWrites): LostWrites {
  const changes = new Map(stored.changes.map((change) => [change.revision, change]))
  const lost = acknowledged.filter(({ flag_key, revision, value }) => {
    const change = changes.get(revision)
    return change?.flag_key !== flag_key || change.value !== value
  }).length
  let torn = stored.changes.filter(({ revision }, index) => revision !== index + 1).length
  if (stored.changes.length !== stored.revision) torn += 1
  for (const key of stored.flags.keys()) torn += countTorn(key, stored)
  return { lost, torn }
}

/**
 * Counts partly stored writes. One write is one change and one audit entry, which starts with the result of
 * the one before; the last is the flag.
 */
function countTorn(key: string, { audit, changes, flags }: StoredWrites): number {
  const written = changes.filter(({ flag_key }) => flag_key === key)
  const entries = audit.filter(({ flag_key }) => flag_key === key)
  const misfits = written.filter((change, index) => {
    const entry = entries[index]
    const before = index === 0 ? null : entries[index - 1]?.after
    return entry?.after !== change.value || entry.revision !== change.revision || entry.before !== before
  })
  const ends = entries.length === written.length && flags.get(key) === written.at(-1)?.value
  return misfits.length + (ends ? 0 : 1)
}
