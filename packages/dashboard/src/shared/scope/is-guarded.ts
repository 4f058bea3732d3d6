import type { Environment } from '@burgee/contract'

/** Whether every change to a flag there waits for somebody else's approval (contract, section 5, approval scope). */
export const isGuarded = (environment: Environment | undefined): boolean =>
  environment?.require_approval === true && environment.approval_scope === 'all'
