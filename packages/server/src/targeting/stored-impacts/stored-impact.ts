import type { Impact, ImpactChange } from '@burgee/contract'
import { shareTurn } from '../../platform/concurrency/turns.ts'

/** A change whose impact is stored: `change_request:<id>` or `scheduled_change:<id>`. */
export type Subject = `change_request:${number}` | `scheduled_change:${string}`

/** A change that waits for its approval or its time. */
export interface RecordedChange {
  readonly project_id: string
  readonly environment_id: string
  readonly subject: Subject
  readonly change: ImpactChange
}

/** Stores the impact of a change in the background. */
export type RecordImpact = (change: RecordedChange) => void

/** The bytes of a stored impact. */
const BYTES_MAX = 16 * 1024

/** Cuts an impact to 16 KiB: first its examples, then the flags that move least. */
export async function cutImpact<T extends Pick<Impact, 'flags'>>(impact: T): Promise<T> {
  // Values of flags may have a megabyte each.
  const fits = async (cut: T) => {
    await shareTurn()
    const text = JSON.stringify(cut)
    return text.length <= BYTES_MAX && Buffer.byteLength(text) <= BYTES_MAX
  }
  const withExamples = (count: number): T => ({
    ...impact,
    flags: impact.flags.map((flag) => ({
      ...flag,
      flips: flag.flips.map((flip) => ({ ...flip, examples: flip.examples.slice(0, count) })),
    })),
  })
  for (const shorter of [impact, withExamples(1), withExamples(0)]) if (await fits(shorter)) return shorter
  const flags = withExamples(0).flags.toSorted((one, other) => other.changed - one.changed)
  const emptied = 'violations' in impact ? { violations: [], warnings: [] } : {}
  let cut: T = { ...impact, ...emptied, flags }
  while (cut.flags.length > 0 && !(await fits(cut)))
    cut = { ...cut, flags: cut.flags.slice(0, Math.floor(cut.flags.length / 2)) }
  return cut
}
