import type { Impact } from '@burgee/contract'
import { violationsOf } from '../../shared/api/api-error.ts'

/** Returns whether an invariant that blocks refuses a change: by its impact, or by the server's refusal. */
export const isBlocked = (impact: Pick<Impact, 'violations'> | undefined, failure: unknown): boolean =>
  impact?.violations.some(({ enforcement }) => enforcement === 'block') === true ||
  violationsOf(failure).length > 0
