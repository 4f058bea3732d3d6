import type { Flag } from '@burgee/contract'

/** A boolean flag that is on for everyone; a test states what matters to it. */
export const aFlag = (fields: Partial<Flag> = {}): Flag => ({
  key: 'a-flag',
  is_enabled: true,
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
  revision: 1,
  ...fields,
})
