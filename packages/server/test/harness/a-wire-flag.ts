import type { WireFlag } from '../../src/kernel/wire-flag.ts'

/** A flag as SDKs receive it; tests give only what matters to them. */
export const aWireFlag = (more: Partial<WireFlag> = {}): WireFlag => ({
  key: 'f',
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
  ...more,
})
