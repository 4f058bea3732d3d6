import {
  FAVORITE_FLAGS_MAX,
  KEY_MAX_LENGTH,
  KEY_PATTERN,
  mergePatch,
  type Preferences,
  type PreferencesPatch,
  SAVED_FILTER_NAME_MAX_LENGTH,
  SAVED_FILTERS_MAX,
} from '@burgee/contract'
import { invalid } from '../../kernel/refusal.ts'

export const NO_PREFERENCES: Preferences = { favorite_flags: {}, saved_filters: {}, environment_order: [] }

const FLAG_KEY = new RegExp(KEY_PATTERN)

/**
 * Returns the preferences with a patch applied. Refuses with `invalid` what is no key of a flag or no name of
 * a filter, and more entries than are stored.
 */
export function patchPreferences(before: Preferences, patch: PreferencesPatch): Preferences {
  const { environment_order, favorite_flags = {}, saved_filters = {} } = patch
  for (const key of Object.keys(favorite_flags)) {
    if (key.length > KEY_MAX_LENGTH || !FLAG_KEY.test(key)) throw refused('favorite_flags', NOT_A_KEY)
  }
  for (const name of Object.keys(saved_filters)) {
    if (name.trim() === '' || name.length > SAVED_FILTER_NAME_MAX_LENGTH)
      throw refused('saved_filters', NOT_A_NAME)
  }
  // A merge of two valid documents: texts and true, without null.
  const after = {
    favorite_flags: mergePatch(before.favorite_flags, favorite_flags) as Preferences['favorite_flags'],
    saved_filters: mergePatch(before.saved_filters, saved_filters) as Preferences['saved_filters'],
    environment_order: environment_order
      ? [...new Set(environment_order.map((id) => id.toLowerCase()))]
      : before.environment_order,
  }
  requireAtMost(FAVORITE_FLAGS_MAX, after, 'favorite_flags')
  requireAtMost(SAVED_FILTERS_MAX, after, 'saved_filters')
  return after
}

const NOT_A_KEY = `must have keys of flags as names: letters, digits, underscores and hyphens, at most ${KEY_MAX_LENGTH}`
const NOT_A_NAME = `must have names that are not blank, of at most ${SAVED_FILTER_NAME_MAX_LENGTH} characters`

function requireAtMost(most: number, after: Preferences, field: 'favorite_flags' | 'saved_filters'): void {
  const count = Object.keys(after[field]).length
  if (count > most)
    throw refused(field, `would have ${count} entries; at most ${most} are stored. Remove some first`)
}

const refused = (field: string, message: string) => invalid([{ path: `/${field}`, message }])
