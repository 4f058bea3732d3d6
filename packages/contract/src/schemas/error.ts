import { type Static, Type } from 'typebox'
import { SECOND_FACTORS } from '../second-factors.ts'
import { anyJson, timestamp } from './common.ts'
import { Impact } from './impact.ts'
import { Violation } from './violation.ts'

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

/** A field that an undo cannot give back, because it was changed again. */
export const RevertConflict = Type.Object({
  audit_id: Type.Integer({ description: 'The entry that was to be undone' }),
  flag_key: Type.Optional(Type.String({ description: 'The flag' })),
  segment_key: Type.Optional(Type.String({ description: 'The segment' })),
  path: Type.String({ description: 'A JSON pointer to the field; empty for the whole' }),
  expected: anyJson({ description: 'The value that the entry left; a long one is cut to a text' }),
  actual: anyJson({ description: 'The present value; null where there is none' }),
  changed_by: Type.Union(
    [
      Type.Object({
        audit_id: Type.Integer({ description: 'The latest entry of the flag or segment' }),
        actor_email: Type.String({ description: 'Its author' }),
        at: timestamp({ description: 'Its time' }),
      }),
      Type.Null(),
    ],
    { description: 'The latest change; null where none is known' },
  ),
})
export type RevertConflict = Static<typeof RevertConflict>

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
    conflicts: Type.Optional(
      Type.Array(RevertConflict, {
        description: 'With the 409 of an undo: the fields that are not as the entries left them, at most 100',
      }),
    ),
    violations: Type.Optional(
      Type.Array(Violation, {
        description:
          'With 422: the invariants that the write would violate; `X-Override-Invariants` overrides them',
      }),
    ),
    impact: Type.Optional(
      Type.Intersect([Impact], {
        description: 'With 409: the users whom the change affects, more than `max_changed_users`',
      }),
    ),
    retry_after_seconds: Type.Optional(
      Type.Integer({ description: 'With 429 and 503: seconds to wait, as in the header Retry-After' }),
    ),
  },
  { examples: [{ error: 'No such flag.' }] },
)
export type ErrorBody = Static<typeof ErrorBody>
