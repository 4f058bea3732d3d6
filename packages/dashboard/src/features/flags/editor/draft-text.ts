import { type Draft, FURTHER_FIELDS } from './draft.ts'

/** The draft as JSON text, its fields in the order in which a person reads them. */
export const draftText = (key: string, draft: Draft): string => {
  const { is_enabled, rollout_percentage, description, flag_type, default_value, disabled_value } = draft
  const { rules, variants, prerequisites, tags, owner_email } = draft
  const further = FURTHER_FIELDS.map((field) => [field, draft[field]])
  return JSON.stringify(
    {
      key,
      description,
      is_enabled,
      flag_type,
      prerequisites,
      rules,
      rollout_percentage,
      variants,
      default_value,
      disabled_value,
      tags,
      owner_email,
      ...Object.fromEntries(further),
    },
    null,
    2,
  )
}
