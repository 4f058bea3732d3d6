import {
  type ChangeRequest,
  completeShare,
  FLAG_EXTENSIONS,
  type Flag,
  isObject,
  mergePatch,
} from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'

/** Applies a stored merge patch to a flag, for display; null when the result is not a flag. */
export function toProposedFlag(flag: Flag, patch: ChangeRequest['patch']): Flag | null {
  const { default_value: _d, disabled_value: _v, ...kept } = flag
  const isBoolean = (patch.flag_type ?? flag.flag_type) === 'boolean'
  const patched = mergePatch({ ...flag }, completeShare(withoutNulls(patch)))
  const unsaid = {
    ...withoutExtensions(kept),
    rollout_percentage: null,
    description: null,
    rules: [],
    default_value: isBoolean ? true : null,
    disabled_value: isBoolean ? false : null,
    variants: [],
    prerequisites: [],
    tags: [],
    owner_email: null,
    archived_at: null,
  }
  const proposed: unknown = { ...unsaid, ...(isObject(patched) ? patched : {}) }
  return isFlag(proposed) ? proposed : null
}

/** Builds the flag that a request would create, for display; null when it is not a flag. */
export const toCreatedFlag = (key: string, patch: ChangeRequest['patch']): Flag | null =>
  toProposedFlag({ ...NO_FLAG, key }, patch)

const NO_FLAG: Omit<Flag, 'key'> = {
  is_enabled: false,
  rollout_percentage: null,
  description: null,
  rules: [],
  flag_type: 'boolean',
  default_value: true,
  disabled_value: false,
  variants: [],
  prerequisites: [],
  tags: [],
  owner_email: null,
  archived_at: null,
  revision: 0,
}

/** Removes the fields that a flag has only where they are set: a patch of null leaves them out. */
function withoutExtensions(flag: object): object {
  const names: readonly string[] = FLAG_EXTENSIONS
  return Object.fromEntries(Object.entries(flag).filter(([name]) => !names.includes(name)))
}

/** Removes nulls from the items of lists, where null means absent (docs/reference/flags.md). */
function withoutNulls(patch: ChangeRequest['patch']): Record<string, JsonValue> {
  const lists = ['rules', 'prerequisites'].flatMap((name) => {
    const items = patch[name]
    return Array.isArray(items) ? [[name, items.map(withoutNullFields)] as const] : []
  })
  return { ...patch, ...Object.fromEntries(lists) }
}

const withoutNullFields = (item: JsonValue): JsonValue =>
  isObject(item) ? Object.fromEntries(Object.entries(item).filter(([, field]) => field !== null)) : item

/** Checks the fields that a description reads. The patch was validated when it was stored. */
function isFlag(value: unknown): value is Flag {
  if (!isObject(value)) return false
  const { archived_at, description, flag_type, is_enabled, owner_email, rollout_percentage } = value
  return (
    typeof is_enabled === 'boolean' &&
    typeof flag_type === 'string' &&
    (rollout_percentage === null || typeof rollout_percentage === 'number') &&
    [description, owner_email, archived_at].every((text) => text === null || typeof text === 'string') &&
    isListOf(value.rules, isRule) &&
    isListOf(value.variants, isObject) &&
    isListOf(value.prerequisites, (item) => isObject(item) && typeof item.flag_key === 'string') &&
    isListOf(value.tags, isText)
  )
}

function isRule(value: unknown): boolean {
  if (!isObject(value)) return false
  const { conditions = [], segment_key = '' } = value
  if (!isText(segment_key) || !isListOf(conditions, isTest)) return false
  return segment_key !== '' || isTest(value)
}

function isTest(value: unknown): boolean {
  if (!isObject(value) || !isText(value.operator)) return false
  if (isText(value.segment_key)) return true
  return isText(value.attribute) && isListOf(value.values ?? [], isText)
}

const isText = (value: unknown): boolean => typeof value === 'string'

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem)
