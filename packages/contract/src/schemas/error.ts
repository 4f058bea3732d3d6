import { type Static, Type } from 'typebox'

/** Every error body (contract, section 3). `details` comes with validation errors, one entry a problem. */
export const ErrorBody = Type.Object({
  error: Type.String(),
  details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  attempts_remaining: Type.Optional(Type.Integer()),
  retry_after_seconds: Type.Optional(Type.Integer()),
})
export type ErrorBody = Static<typeof ErrorBody>
