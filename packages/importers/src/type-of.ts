import type { FlagDraft } from './drafts.ts'

/** Returns the type of a flag that has these values. Null fits every type but boolean. */
export function typeOf(values: readonly unknown[]): FlagDraft['type'] {
  const given = values.filter((value) => value !== null && value !== undefined)
  if (given.length === 0) return 'json'
  if (given.every((value) => typeof value === 'boolean'))
    return given.length === values.length ? 'boolean' : 'json'
  if (given.every((value) => typeof value === 'string')) return 'string'
  if (given.every((value) => Number.isSafeInteger(value))) return 'integer'
  return 'json'
}
