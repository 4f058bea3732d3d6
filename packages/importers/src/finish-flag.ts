import {
  type FlagInput,
  METADATA_ENTRIES_MAX,
  METADATA_MAX_BYTES,
  OWNER_EMAIL_MAX_LENGTH,
  VARIANT_NAME_MAX_LENGTH,
  VARIANT_NAMES_MAX,
} from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import {
  type DivisionFields,
  divisionOf,
  EVERYONE,
  flagFields,
  shareFields,
  stepsOf,
  wholeWeights,
} from './divide.ts'
import type { FlagDraft, RuleDraft, Share } from './drafts.ts'
import { ALWAYS } from './expression.ts'
import { finishRules } from './finish-rules.ts'
import type { KeyNames } from './keys.ts'
import { textForm } from './reading.ts'
import type { FindFlaw } from './segment-flaws.ts'

export interface Names {
  readonly flags: KeyNames
  readonly segments: KeyNames
  readonly findFlaw: FindFlaw
}

/** Returns the flag as the API has it. What could not be translated is in the notes of the draft. */
export function finishFlag(draft: FlagDraft, { findFlaw, flags, segments }: Names): FlagInput {
  const key = flags.get(draft.key)
  if (key !== draft.key)
    draft.notes.remark('key_changed', '/key', `The key became ${key}. Give aliases.json to the SDK.`)
  noteUndecided(draft)
  const { fields, flagDivision, more } = finishOtherwise(draft, key)
  const rules = finishRules([...draft.rules, ...more], { draft, key, flagDivision, findFlaw, segments })
  return {
    key,
    ...describe(draft),
    flag_type: draft.type,
    is_enabled: draft.isEnabled,
    rules,
    ...fields,
    ...flagDivision,
    disabled_value: disabledValue(
      draft,
      rules.some(({ off }) => off === true),
    ),
    prerequisites: draft.prerequisites.map(({ key: needed, value }) => ({
      flag_key: flags.get(needed),
      ...(value !== undefined && { required_value: value }),
    })),
    ...extras(draft),
  }
}

/** A boolean flag has no null, with which another service leaves the value to the code. */
function noteUndecided({ notes, otherwise, rules, type }: FlagDraft): void {
  const isNull = ({ serve }: Pick<RuleDraft, 'serve'>) =>
    serve.kind === 'split'
      ? serve.variants.some(({ value, weight }) => weight > 0 && value === null)
      : serve.kind === 'value' && serve.value === null
  if (type === 'boolean' && [otherwise, ...rules].some(isNull))
    notes.lower('approximated', {
      ...{ code: 'code_default', path: '' },
      message: 'For some users the code decides there. In Burgee a boolean flag gives them false.',
    })
}

type Base = Partial<
  Pick<FlagInput, 'rollout_percentage' | 'rollout_thousandths' | 'default_value' | 'variants'>
>

interface Otherwise {
  readonly fields: Base
  readonly flagDivision: DivisionFields
  /** Rules for every user, where the flag itself cannot divide users so. */
  readonly more: readonly RuleDraft[]
}

/** Returns the default outcome: that of users whom no rule matches. */
function finishOtherwise(draft: FlagDraft, key: string): Otherwise {
  const { serve, share } = draft.otherwise
  if (draft.type === 'boolean' && serve.kind === 'split') return splitBoolean(draft, key)
  const flagDivision = flagFields(divisionOf({ serve, share }, draft.notes, '/rollout_percentage'), key)
  const rollout = { rollout_percentage: null, ...shareFields(share) }
  const none: Pick<Otherwise, 'flagDivision' | 'more'> = { flagDivision, more: [] }
  // A share of 0 has no users: its value would be what rules without one serve.
  if (serve.kind === 'off' || (draft.type !== 'boolean' && share?.thousandths === 0))
    return {
      ...none,
      fields: isTrueWhileOff(draft)
        ? { rollout_percentage: null, default_value: false }
        : { rollout_percentage: 0, default_value: defaultOf(draft) },
    }
  if (serve.kind === 'split')
    return {
      ...none,
      fields: {
        ...rollout,
        variants: [...wholeWeights(serve.variants)],
        default_value: serve.fallback ?? null,
      },
    }
  const default_value = serve.kind === 'on' ? defaultOf(draft) : definiteValue(serve.value, draft)
  return { ...none, fields: { ...rollout, default_value, ...(draft.type !== 'boolean' && { variants: [] }) } }
}

const definiteValue = (value: JsonValue, { type }: FlagDraft): JsonValue =>
  type === 'boolean' && value === null ? false : value

const defaultOf = ({ type }: FlagDraft): JsonValue => (type === 'boolean' ? true : null)

/** The users outside a rollout get the disabled value, which is then not false. */
const isTrueWhileOff = ({ disabledValue, type }: FlagDraft): boolean =>
  type === 'boolean' && disabledValue === true

/** Splits a boolean flag: true and then false is a rollout, anything else becomes a rule for each step. */
function splitBoolean(draft: FlagDraft, key: string): Otherwise {
  const { notes, otherwise } = draft
  const { serve } = otherwise
  const { division, variants } = serve.kind === 'split' ? serve : { division: {}, variants: [] }
  const steps = stepsOf(variants)
  const [first, second] = steps
  const isRollout =
    !isTrueWhileOff(draft) && steps.length === 2 && first?.value === true && second?.value === false
  const share: Share = { ...division, thousandths: first && isRollout ? first.upTo : EVERYONE }
  const fields = divisionOf({ serve: { kind: 'on' }, share }, notes, '/rollout_percentage')
  if (isRollout)
    return {
      fields: { rollout_percentage: null, ...shareFields(share), default_value: true },
      flagDivision: flagFields(fields, key),
      more: [],
    }
  const rest = steps.at(-1)?.value === true
  const more = steps.slice(0, -1).map(
    ({ upTo, value }): RuleDraft => ({
      when: ALWAYS,
      serve: { kind: 'value', value },
      share: { ...division, thousandths: upTo },
    }),
  )
  return { fields: { rollout_percentage: null, default_value: rest }, flagDivision: {}, more }
}

/** A rule that turns a boolean flag off gives its disabled value, so that this must be false. */
function disabledValue({ disabledValue, notes, type }: FlagDraft, hasOff: boolean): JsonValue {
  if (type !== 'boolean') return disabledValue
  if (disabledValue !== true || !hasOff) return disabledValue ?? false
  notes.lower('approximated', {
    code: 'off_value',
    path: '/disabled_value',
    message:
      'The flag gives true while it is off, and a rule gives false. In Burgee it gives false while off.',
  })
  return false
}

function describe({ description, owner, tags }: FlagDraft): Partial<FlagInput> {
  return {
    ...(description && { description }),
    ...(tags && tags.length > 0 && { tags: [...new Set(tags)] }),
    ...(owner && { owner_email: owner.slice(0, OWNER_EMAIL_MAX_LENGTH) }),
  }
}

function extras(draft: FlagDraft): Partial<FlagInput> {
  const { archivedAt, isPermanent, valueSchema } = draft
  const variant_names = namesOf(draft)
  const metadata = metadataOf(draft)
  return {
    ...(isPermanent && { lifetime: 'permanent' as const }),
    ...(archivedAt && { archived_at: archivedAt }),
    ...(draft.type === 'json' &&
      typeof valueSchema === 'object' &&
      valueSchema !== null &&
      !Array.isArray(valueSchema) && { value_schema: valueSchema }),
    ...(Object.keys(variant_names).length > 0 && { variant_names }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

function namesOf({ notes, variantNames = new Map() }: FlagDraft): Record<string, JsonValue> {
  const entries = [...variantNames].filter(
    ([name, value]) => name !== '' && name.length <= VARIANT_NAME_MAX_LENGTH && name !== textForm(value),
  )
  if (entries.length > VARIANT_NAMES_MAX)
    notes.remark('names_cut', '/variant_names', `Only ${VARIANT_NAMES_MAX} names of variants are kept.`)
  return Object.fromEntries(entries.slice(0, VARIANT_NAMES_MAX))
}

function metadataOf({ metadata = new Map(), notes }: FlagDraft): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {}
  for (const [name, value] of [...metadata].slice(0, METADATA_ENTRIES_MAX)) {
    if (name === '' || name.length > VARIANT_NAME_MAX_LENGTH) continue
    if (bytesOf(JSON.stringify({ ...kept, [name]: value })) <= METADATA_MAX_BYTES) kept[name] = value
  }
  if (Object.keys(kept).length < metadata.size)
    notes.remark('metadata_cut', '/metadata', 'Some metadata is left out: there is too much of it.')
  return kept
}

/** Returns the length of a text in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4
  }
  return bytes
}
