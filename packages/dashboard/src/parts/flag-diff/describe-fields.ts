const FIELD_NAMES: Readonly<Record<string, string>> = {
  is_enabled: 'switch',
  rollout_percentage: 'rollout',
  flag_type: 'type',
  owner_email: 'owner',
}

/** The names of fields as people read them. */
export const describeFields = (fields: readonly string[]): string =>
  fields.map((field) => FIELD_NAMES[field] ?? field.replaceAll('_', ' ')).join(', ')
