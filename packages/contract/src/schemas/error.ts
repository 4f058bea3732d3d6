import { type Static, Type } from 'typebox'
import { SECOND_FACTORS } from '../second-factors.ts'

/** The causes of errors that a program can act on. */
export const ERROR_REASONS = [
  'reauthentication_required',
  'account_disabled',
  'second_factor_required',
  'second_factor_enrolment_required',
  'login_step_expired',
  'managed_elsewhere',
] as const
export type ErrorReason = (typeof ERROR_REASONS)[number]

/**
 * The body of every error (docs/reference/api.md). Validation errors have `details`, one entry for each
 * problem.
 */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'The problem and what to do' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'A JSON pointer (RFC 6901) into the body or query' }),
          message: Type.String(),
        }),
        { description: 'With 422: every problem that was found, at most 50' },
      ),
    ),
    attempts_remaining: Type.Optional(
      Type.Integer({
        description: 'With a failed login: the attempts left before the account is locked',
      }),
    ),
    reason: Type.Optional(
      Type.Enum([...ERROR_REASONS], {
        description:
          'The cause, where a program can act on it: `reauthentication_required` asks for `POST /api/auth/reauthenticate`, `account_disabled` for a workspace admin, `second_factor_required` for one of `factors`, `second_factor_enrolment_required` for adding one under `/api/auth/factors`, `login_step_expired` for the password again, `managed_elsewhere` for `take_over`',
      }),
    ),
    factors: Type.Optional(
      Type.Array(Type.Enum([...SECOND_FACTORS]), {
        description: 'With `second_factor_required`: the factors that the account can prove',
      }),
    ),
    retry_after_seconds: Type.Optional(
      Type.Integer({ description: 'With 429 and 503: seconds to wait, as in the header Retry-After' }),
    ),
  },
  { examples: [{ error: 'No such flag.' }] },
)
export type ErrorBody = Static<typeof ErrorBody>
