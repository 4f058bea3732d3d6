import { ApiError } from '../api/api-error.ts'
import { asSentence } from '../api/plain-text.ts'

/** The problem of each field of a form, by the field's name. */
export type FieldErrors = Readonly<Record<string, string | undefined>>

/**
 * The problems of a response that belong to the form's fields; `hasRest` where others have to be shown
 * beside them.
 */
export function fieldErrors(
  error: unknown,
  fields: readonly string[],
): { readonly errors: FieldErrors; readonly hasRest: boolean } {
  if (!(error instanceof ApiError) || error.details.length === 0) return { errors: {}, hasRest: true }
  const errors: Record<string, string> = {}
  let hasRest = false
  for (const { message, path } of error.details) {
    const field = path.split('/')[1] ?? ''
    if (!fields.includes(field)) hasRest = true
    else errors[field] ??= asSentence(message)
  }
  return { errors, hasRest }
}

/** Refuses, as the server would, fields that are blank: `[name of the field, its text, what to do]`. */
export function requireFilled(fields: readonly (readonly [string, string, string])[]): void {
  requireFields(fields.map(([field, text, message]) => [field, text.trim() !== '', message]))
}

/** The same for any other condition on fields: `[name of the field, whether it fits, what to do]`. */
export function requireFields(fields: readonly (readonly [string, boolean, string])[]): void {
  const details = fields
    .filter(([, fits]) => !fits)
    .map(([field, , message]) => ({ path: `/${field}`, message }))
  if (details.length > 0) throw new ApiError(422, { error: 'Some fields do not fit.', details })
}
