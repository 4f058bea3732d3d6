import type { Segment, SegmentPatch, TargetingRule } from '@burgee/contract'
import { KEY_MAX_LENGTH, KEY_PATTERN, NAME_MAX_LENGTH } from '@burgee/contract'

/** A segment while it is edited. */
export interface SegmentDraft {
  readonly name: string
  readonly key: string
  /** Empty: none. */
  readonly description: string
  readonly rules: readonly TargetingRule[]
  readonly included_keys: readonly string[]
  readonly excluded_keys: readonly string[]
}

export function draftOf(segment: Segment): SegmentDraft {
  const { name, key, description, rules, included_keys = [], excluded_keys = [] } = segment
  return { name, key, description: description ?? '', rules, included_keys, excluded_keys }
}

/** The merge patch that brings a segment to the draft; without fields when nothing differs. */
export function patchOf(segment: Segment, draft: SegmentDraft): SegmentPatch {
  const description = draft.description.trim() === '' ? null : draft.description
  return {
    ...(draft.name !== segment.name && { name: draft.name }),
    ...(draft.key !== segment.key && { key: draft.key }),
    ...(description !== (segment.description || null) && { description }),
    ...(isOther(draft.rules, segment.rules) && { rules: [...draft.rules] }),
    ...(isOther(draft.included_keys, segment.included_keys ?? []) && {
      included_keys: [...draft.included_keys],
    }),
    ...(isOther(draft.excluded_keys, segment.excluded_keys ?? []) && {
      excluded_keys: [...draft.excluded_keys],
    }),
  }
}

const isOther = (after: unknown, before: unknown): boolean => JSON.stringify(after) !== JSON.stringify(before)

export const isChanged = (segment: Segment, draft: SegmentDraft): boolean =>
  Object.keys(patchOf(segment, draft)).length > 0

/** The segment as it would be. */
export const applyDraft = (segment: Segment, draft: SegmentDraft): Segment => ({
  ...segment,
  ...draft,
  rules: [...draft.rules],
  included_keys: [...draft.included_keys],
  excluded_keys: [...draft.excluded_keys],
  description: draft.description.trim() === '' ? null : draft.description,
})

/**
 * The problems of the name and the key, by JSON pointer, before the request to the server. `taken` are the
 * keys of the other segments.
 */
export function findProblems(
  { name, key }: Pick<SegmentDraft, 'name' | 'key'>,
  taken: readonly string[],
): Record<string, string> {
  const nameProblem = problemOfName(name)
  const keyProblem = problemOfKey(key, taken)
  return { ...(nameProblem && { '/name': nameProblem }), ...(keyProblem && { '/key': keyProblem }) }
}

function problemOfName(name: string): string | null {
  if (name.trim() === '') return 'Enter a name.'
  return name.length > NAME_MAX_LENGTH ? `At most ${NAME_MAX_LENGTH} characters.` : null
}

function problemOfKey(key: string, taken: readonly string[]): string | null {
  if (key === '') return 'Enter a key.'
  if (!new RegExp(KEY_PATTERN).test(key)) return 'Use ASCII letters, digits, underscores and hyphens only.'
  if (key.length > KEY_MAX_LENGTH) return `At most ${KEY_MAX_LENGTH} characters.`
  return taken.includes(key) ? `There is a segment “${key}” already.` : null
}
