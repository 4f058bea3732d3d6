import { type Flag, findMergePatch } from '@burgee/contract'
import { deepEqual, type JsonValue } from '@burgee/evaluation'
import type { EndpointInput } from '../../../shared/api/types.ts'

/** The fields of a flag that the editor can change, in the order in which the flag's JSON shows them. */
const DRAFT_FIELDS = [
  'is_enabled',
  'rollout_percentage',
  'description',
  'flag_type',
  'default_value',
  'disabled_value',
  'rules',
  'variants',
  'prerequisites',
  'tags',
  'owner_email',
] as const

export type DraftField = (typeof DRAFT_FIELDS)[number]

/** The editable fields of a flag, as edited. */
export type Draft = Pick<Flag, DraftField>

export type FlagPatchBody = EndpointInput<'patchFlag'>['body']

export const draftOf = (flag: Flag): Draft => pick(flag, DRAFT_FIELDS)

/** The flag as the draft would leave it. */
export const applyDraft = (flag: Flag, draft: Draft): Flag => ({ ...flag, ...draft })

/** The fields in which two states of a flag differ. */
export const changedFields = (before: Draft, after: Draft): DraftField[] =>
  DRAFT_FIELDS.filter((field) => !deepEqual(asJson(before[field]), asJson(after[field])))

/**
 * The smallest JSON merge patch that turns the flag into the draft (docs/reference/api.md: null takes a field
 * back to its default). Null where no patch can: it cannot put a null inside an object of a JSON value.
 */
export function patchOf(flag: Flag, draft: Draft): FlagPatchBody | null {
  const found = changedFields(flag, draft).map(
    (field) => [field, findMergePatch(asJson(flag[field]), asJson(draft[field]))] as const,
  )
  if (!found.every(([, { isExact }]) => isExact)) return null
  return Object.fromEntries(found.map(([field, { patch }]) => [field, patch]))
}

export interface Rebased {
  readonly draft: Draft
  /** The fields that both changed, each in another way. The draft's value stays. */
  readonly clashes: readonly DraftField[]
}

/** My changes to `base` on top of `theirs`: what I did not touch is as they have it. */
export function rebaseDraft(base: Draft, theirs: Draft, draft: Draft): Rebased {
  const mine = changedFields(base, draft)
  const both = new Set(changedFields(base, theirs))
  const differ = new Set(changedFields(theirs, draft))
  return {
    draft: { ...pick(theirs, DRAFT_FIELDS), ...pick(draft, mine) },
    clashes: mine.filter((field) => both.has(field) && differ.has(field)),
  }
}

function pick(from: Draft, fields: readonly DraftField[]): Draft {
  return Object.fromEntries(fields.map((field) => [field, from[field]])) as Draft
}

/** The fields of a flag are JSON: it was read from JSON, or typed as such. */
const asJson = (value: Draft[DraftField]): JsonValue => value as JsonValue
