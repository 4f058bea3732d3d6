import { deepEqual, type JsonValue } from '@burgee/evaluation'
import type { Flag } from '../schemas/flag.ts'
import { formatShare } from './format-share.ts'
import { cutLine, formatJson } from './format-text.ts'
import { describeLists } from './list-changes.ts'
import { type FormatValue, namedValues } from './name-value.ts'
import { describeRules } from './rule-changes.ts'
import { describeVariants } from './variant-changes.ts'

/** The number of phrases about one list. The rest is only counted. */
const LIST_PHRASES_MAX = 10
const TEXT_MAX = 80

/**
 * Describes a change to a flag as short phrases, the most important first: `switched on`,
 * `rollout 10% -> 25%`, `rule 2 added: country equals NO, SE`. Null stands for no flag, before a creation or
 * after a deletion. The result is empty when both flags evaluate alike; revisions are ignored. Each phrase is
 * plain text of one line, with long values cut, so escape it for its place.
 */
export function describeFlagChange(before: Flag | null, after: Flag | null): string[] {
  if (before === null) return after === null ? [] : describeNew(after)
  if (after === null) return ['deleted']
  const format = namedValues(before, after)
  return [
    ...describeSwitch(before, after),
    ...describePair('rollout', formatRollout(before), formatRollout(after)),
    ...limited(describeRules(before.rules, after.rules, format), 'rule'),
    ...limited(describeVariants(before.variants, after.variants, format), 'variant'),
    ...describePair('type', before.flag_type, after.flag_type),
    ...describeValue('default value', format, before.default_value, after.default_value),
    ...describeValue('disabled value', format, before.disabled_value, after.disabled_value),
    ...limited(describePrerequisites(before, after), 'prerequisite'),
    ...limited(describeTags(before, after), 'tag'),
    ...describePair('owner', formatText(before.owner_email), formatText(after.owner_email)),
    ...describePair('description', formatQuoted(before.description), formatQuoted(after.description)),
    ...describeFurtherFields(before, after),
    ...describeArchival(before, after),
  ]
}

function describeNew(flag: Flag): string[] {
  const { archived_at, is_enabled, prerequisites, rollout_percentage, rules, variants } = flag
  return [
    'created',
    is_enabled ? 'switched on' : 'switched off',
    ...(rollout_percentage === null ? [] : [`rollout ${formatRollout(flag)}`]),
    ...count(rules.length, 'rule'),
    ...count(variants.length, 'variant'),
    ...count(prerequisites.length, 'prerequisite'),
    ...(archived_at === null ? [] : ['archived']),
  ]
}

const count = (length: number, noun: string): string[] =>
  length === 0 ? [] : [`${length} ${length === 1 ? noun : `${noun}s`}`]

function describeSwitch(before: Flag, after: Flag): string[] {
  if (before.is_enabled === after.is_enabled) return []
  return [after.is_enabled ? 'switched on' : 'switched off']
}

/** A rollout of null means 100 (docs/reference/flags.md#flag-fields). */
const formatRollout = (flag: Flag): string => formatShare(flag) ?? '100%'

/** The names of fields that a flag has only where they are set (docs/reference/flags.md#further-fields). */
const FURTHER_FIELDS = {
  bucket_by: 'bucketing attribute',
  rollout_salt: 'rollout salt',
  variant_salt: 'variant salt',
  hash: 'hash',
  variant_names: 'names of values',
  metadata: 'metadata',
  value_schema: 'schema of values',
  lifetime: 'lifetime',
  expires_at: 'expiry',
  managed_by: 'managed by',
  links: 'links',
  client_visible: 'visible to client keys',
} as const satisfies Partial<Record<keyof Flag, string>>

function describeFurtherFields(before: Flag, after: Flag): string[] {
  const names = Object.keys(FURTHER_FIELDS) as (keyof typeof FURTHER_FIELDS)[]
  return names.flatMap((field) =>
    describePair(FURTHER_FIELDS[field], formatField(before[field]), formatField(after[field])),
  )
}

/** A whole JSON text, so that a difference behind the cut is a change too. */
const formatField = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value))

const describePair = (name: string, before: string, after: string): string[] =>
  before === after ? [] : [`${name} ${cutLine(before, TEXT_MAX)} -> ${cutLine(after, TEXT_MAX)}`]

function describeValue(name: string, format: FormatValue, before: JsonValue, after: JsonValue): string[] {
  return deepEqual(before, after) ? [] : [`${name} ${format(before)} -> ${format(after)}`]
}

/** The whole text: a difference behind the cut is a change too. */
const formatText = (text: string | null): string => (text === null || text === '' ? 'none' : text)
const formatQuoted = (text: string | null): string => (text === null || text === '' ? 'none' : `"${text}"`)

const describePrerequisites = (before: Flag, after: Flag): string[] =>
  describeLists(before.prerequisites, after.prerequisites, {
    noun: 'prerequisite',
    id: ({ flag_key }) => flag_key,
    name: ({ flag_key }) => flag_key,
    detail: {
      label: 'must be',
      of: ({ required_value }) => required_value ?? null,
      show: ({ required_value }) => ((required_value ?? null) === null ? 'on' : formatJson(required_value)),
    },
  })

const describeTags = (before: Flag, after: Flag): string[] =>
  describeLists(before.tags, after.tags, {
    noun: 'tag',
    id: (tag) => tag,
    name: (tag) => cutLine(tag, TEXT_MAX),
  })

/** Describes archiving and restoring. The time of archiving is not described, because it is not chosen. */
function describeArchival(before: Flag, after: Flag): string[] {
  if ((before.archived_at === null) === (after.archived_at === null)) return []
  return [after.archived_at === null ? 'unarchived' : 'archived']
}

function limited(phrases: readonly string[], noun: string): string[] {
  const rest = phrases.length - LIST_PHRASES_MAX
  if (rest <= 1) return [...phrases]
  return [...phrases.slice(0, LIST_PHRASES_MAX), `${rest} more ${noun} changes`]
}
