import { type Flag, type Segment, segmentsBehind, segmentsNamedBy } from '@burgee/contract'

/** The uses of a segment in its environment. */
export interface SegmentUsage {
  /** Flags whose own rules name it. */
  readonly flags: readonly Flag[]
  /** Flags that only reach it through other segments. */
  readonly indirectFlags: readonly Flag[]
  /** Other segments whose own rules name it. */
  readonly segments: readonly Segment[]
  /** The number of flags that SDKs receive again when it changes. Archived ones are not sent. */
  readonly resentCount: number
}

export function findSegmentUsage(
  key: string,
  flags: readonly Flag[],
  segments: readonly Segment[],
): SegmentUsage {
  const byKey = new Map(segments.map((segment) => [segment.key, segment]))
  const names = ({ rules }: Pick<Flag, 'rules'>) => rules.some((rule) => segmentsNamedBy(rule).includes(key))
  const direct = flags.filter(names)
  const indirectFlags = flags.filter((flag) => !names(flag) && segmentsBehind(flag.rules, byKey).has(key))
  return {
    flags: direct,
    indirectFlags,
    segments: segments.filter((segment) => segment.key !== key && names(segment)),
    resentCount: [...direct, ...indirectFlags].filter(({ archived_at }) => archived_at === null).length,
  }
}
