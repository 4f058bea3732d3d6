import { APPLY_FLAGS_MAX, APPLY_SEGMENTS_MAX } from './limits.ts'

/** The bytes of one part: half of what a body may have, for its frame and for characters beyond ASCII. */
const PART_MAX_LENGTH = 512 * 1024

interface Keyed {
  readonly key: string
}

interface Dependent extends Keyed {
  readonly prerequisites?: readonly { readonly flag_key: string }[] | null | undefined
}

/** Flags and segments for one call of `apply`. */
export interface ApplyPart<Segment, Flag> {
  readonly segments: Segment[]
  readonly flags: Flag[]
}

/**
 * Splits what is to be applied into as many calls as it takes: segments first, and each flag after those that
 * it needs. Everything that fits into one call is one part.
 */
export function splitApply<Segment extends Keyed, Flag extends Dependent>(
  segments: readonly Segment[],
  flags: readonly Flag[],
): ApplyPart<Segment, Flag>[] {
  const parts: ApplyPart<Segment, Flag>[] = []
  let part: ApplyPart<Segment, Flag> = { segments: [], flags: [] }
  let length = 0
  const makeRoom = (item: object, isFull: boolean) => {
    const added = JSON.stringify(item).length
    if (isFull || (length > 0 && length + added > PART_MAX_LENGTH)) {
      parts.push(part)
      part = { segments: [], flags: [] }
      length = 0
    }
    length += added
  }
  for (const segment of segments) {
    makeRoom(segment, part.segments.length >= APPLY_SEGMENTS_MAX)
    part.segments.push(segment)
  }
  for (const flag of inOrderOfNeed(flags)) {
    makeRoom(flag, part.flags.length >= APPLY_FLAGS_MAX)
    part.flags.push(flag)
  }
  return length > 0 ? [...parts, part] : parts
}

/** Returns the flags with each after its prerequisites; in a circle, in the order of the list. */
function inOrderOfNeed<Flag extends Dependent>(flags: readonly Flag[]): Flag[] {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  const ordered = new Set<Flag>()
  const entered = new Set<Flag>()
  for (const flag of flags) {
    const stack = [flag]
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const missing = entered.has(top)
        ? []
        : (top.prerequisites ?? []).flatMap(({ flag_key }) => byKey.get(flag_key) ?? [])
      entered.add(top)
      const needed = missing.filter((one) => !entered.has(one))
      if (needed.length > 0) stack.push(...needed)
      else {
        ordered.add(top)
        stack.pop()
      }
    }
  }
  return [...ordered]
}
