import type { Flag } from '@burgee/contract'

/** The present state of a flag that another depends on. */
export type PrerequisiteState = 'on' | 'off' | 'archived' | 'missing'

export function prerequisiteState(flag: Flag | undefined): PrerequisiteState {
  if (!flag) return 'missing'
  if (flag.archived_at !== null) return 'archived'
  return flag.is_enabled ? 'on' : 'off'
}
