import type { Segment } from '@burgee/contract'
import { useState } from 'react'
import { draftOf, isChanged, type SegmentDraft } from './segment-draft.ts'

/** A segment that is edited, beside what it is on the server. */
export interface EditedSegment {
  /** The segment that the draft is compared with, as it was when editing began. */
  readonly base: Segment
  readonly draft: SegmentDraft
  readonly isDirty: boolean
  /** Someone else saved another version since editing began. */
  readonly hasConflict: boolean
  readonly edit: (changes: Partial<SegmentDraft>) => void
  readonly reset: (segment: Segment) => void
  /** Keeps the draft, to be saved over what someone else did. */
  readonly rebase: (segment: Segment) => void
}

/** `current` is the segment as the server has it; while nothing is edited the draft follows it. */
export function useSegmentDraft(current: Segment): EditedSegment {
  const [base, setBase] = useState(current)
  const [draft, setDraft] = useState(() => draftOf(current))
  const isDirty = isChanged(base, draft)
  const isMoved = isChanged(base, draftOf(current))
  if (isMoved && !isDirty) {
    setBase(current)
    setDraft(draftOf(current))
  } else if (!isMoved && current.revision > base.revision) {
    // Changed and changed back: the draft is saved on top of the newer revision.
    setBase(current)
  }
  return {
    base,
    draft,
    isDirty,
    hasConflict: isMoved && isDirty,
    edit: (changes) => setDraft((before) => ({ ...before, ...changes })),
    reset: (segment) => {
      setBase(segment)
      setDraft(draftOf(segment))
    },
    rebase: setBase,
  }
}
