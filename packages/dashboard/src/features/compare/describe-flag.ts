import type { Flag } from '@burgee/contract'

/** The state of a flag in a few words: `On`, `On, 25 %`, `Off`, `Archived`. */
export function describeFlag({ archived_at, is_enabled, rollout_percentage, rules }: Flag): string {
  if (archived_at !== null) return 'Archived'
  if (!is_enabled) return 'Off'
  const parts = [
    'On',
    ...(rollout_percentage === null || rollout_percentage === 100 ? [] : [`${rollout_percentage} %`]),
    ...(rules.length === 0 ? [] : [rules.length === 1 ? '1 rule' : `${rules.length} rules`]),
  ]
  return parts.join(', ')
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  is_enabled: 'switch',
  rollout_percentage: 'rollout',
  flag_type: 'type',
  owner_email: 'owner',
}

/** The names of fields as people read them. */
export const describeFields = (fields: readonly string[]): string =>
  fields.map((field) => FIELD_NAMES[field] ?? field.replaceAll('_', ' ')).join(', ')
