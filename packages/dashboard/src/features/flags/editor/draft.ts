import { type EndpointInput, type Flag, type FlagExtensionName, findMergePatch } from '@burgee/contract'
import { deepEqual, type JsonValue } from '@burgee/evaluation'

/** The fields of a flag that the editor can change, in the order in which the flag's JSON shows them. */
const ORDINARY_FIELDS = [
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

/** The fields that a flag has only where they are set; a unit test compares them with the contract. */
export const FURTHER_FIELDS = [
  'rollout_thousandths',
  'bucket_by',
  'rollout_salt',
  'variant_salt',
  'hash',
  'variant_names',
  'metadata',
  'value_schema',
  'lifetime',
  'expires_at',
  'managed_by',
  'links',
  'client_visible',
] as const satisfies readonly FlagExtensionName[]

const DRAFT_FIELDS = [...ORDINARY_FIELDS, ...FURTHER_FIELDS] as const

export type DraftField = (typeof DRAFT_FIELDS)[number]

/** The editable fields of a flag, as edited. A further field that is not set is undefined. */
export type Draft = Pick<Flag, (typeof ORDINARY_FIELDS)[number]> & {
  [Field in (typeof FURTHER_FIELDS)[number]]?: Flag[Field] | undefined
}

export type FlagPatchBody = EndpointInput<'patchFlag'>['body']

export const draftOf = (flag: Flag): Draft => pick(flag, DRAFT_FIELDS)

/** The fields of a draft that are set, as a request sends them. */
export function setFields(draft: Draft): Pick<Flag, DraftField & keyof Flag> {
  const set = DRAFT_FIELDS.filter((field) => draft[field] !== undefined)
  return pick(draft, set) as Pick<Flag, DraftField>
}

/** The flag as the draft would leave it. */
export function applyDraft(flag: Flag, draft: Draft): Flag {
  const set = Object.entries({ ...flag, ...draft }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set) as Flag
}

/** The fields in which two states of a flag differ. */
export const changedFields = (before: Draft, after: Draft): DraftField[] =>
  DRAFT_FIELDS.filter((field) => !deepEqual(before[field] ?? null, after[field] ?? null))

/**
 * The smallest JSON merge patch that turns the flag into the draft (docs/reference/api.md: null takes a field
 * back to its default). Null where no patch can: it cannot put a null inside an object of a JSON value.
 */
export function patchOf(flag: Flag, draft: Draft): FlagPatchBody | null {
  const found = changedFields(flag, draft).map(
    (field) => [field, patchOfField(field, asJson(flag[field]), asJson(draft[field]))] as const,
  )
  if (!found.every(([, { isExact }]) => isExact)) return null
  return Object.fromEntries(found.map(([field, { patch }]) => [field, patch]))
}

/** A schema of values is replaced as a whole. */
const patchOfField = (field: DraftField, before: JsonValue, after: JsonValue) =>
  field === 'value_schema' ? { patch: after, isExact: true } : findMergePatch(before, after)

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

/** The fields of a flag are JSON: it was read from JSON, or typed as such. Null unsets a further field. */
const asJson = (value: Draft[DraftField]): JsonValue => (value ?? null) as JsonValue
