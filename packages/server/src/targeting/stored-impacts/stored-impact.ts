import type { Impact, ImpactChange } from '@burgee/contract'

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
export function cutImpact<T extends Pick<Impact, 'flags'>>(impact: T): T {
  const fits = (cut: T) => Buffer.byteLength(JSON.stringify(cut)) <= BYTES_MAX
  const withExamples = (count: number): T => ({
    ...impact,
    flags: impact.flags.map((flag) => ({
      ...flag,
      flips: flag.flips.map((flip) => ({ ...flip, examples: flip.examples.slice(0, count) })),
    })),
  })
  const shorter = [impact, withExamples(1), withExamples(0)].find(fits)
  if (shorter) return shorter
  const flags = withExamples(0).flags.toSorted((one, other) => other.changed - one.changed)
  const emptied = 'violations' in impact ? { violations: [], warnings: [] } : {}
  let cut: T = { ...impact, ...emptied, flags }
  while (!fits(cut) && cut.flags.length > 0)
    cut = { ...cut, flags: cut.flags.slice(0, Math.floor(cut.flags.length / 2)) }
  return cut
}
