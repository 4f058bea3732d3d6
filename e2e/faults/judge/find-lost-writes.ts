import type { StoredWrites } from '../../harness/read-stored-writes.ts'
import type { AcknowledgedWrite } from '../../harness/write-continuously.ts'

export interface LostWrites {
  /** Acknowledged writes that the change log does not hold under the revision of their answer. */
  readonly lost: number
  /** Writes that are stored in part: a hole in the revisions, or a flag or an audit trail that does not fit the change log. */
  readonly torn: number
}

/** Compares what was acknowledged with what the database holds. */
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

/** One write is one change and one audit entry, which begins with what the one before left; the last is what the flag is. */
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
