import type { Impact } from '@burgee/contract'
import { ApiError } from '../../shared/api/api-error.ts'

/** Returns whether an invariant that blocks refuses a change: by its impact, or by the server's refusal. */
export const isBlocked = (impact: Pick<Impact, 'violations'> | undefined, failure: unknown): boolean =>
  impact?.violations.some(({ enforcement }) => enforcement === 'block') === true ||
  (failure instanceof ApiError &&
    Array.isArray(failure.body.violations) &&
    failure.body.violations.length > 0)
