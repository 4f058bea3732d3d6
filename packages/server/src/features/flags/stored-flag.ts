import { Flag } from '@burgee/contract'
import { toFlagContent } from './flag.ts'

/** What a stored flag gets for a field that did not exist yet when it was stored. Key, switch and revision always did. */
const { is_enabled: _i, key: _k, ...CONTENT_DEFAULTS } = toFlagContent({ key: '', is_enabled: false })
const DEFAULTS = { ...CONTENT_DEFAULTS, archived_at: null }

/**
 * A flag as the audit log holds it, written by this or an earlier version of the program: fields that did not exist then get their
 * defaults, fields that no longer exist are left out. Gives undefined for what is no flag.
 */
export async function readStoredFlag(stored: unknown): Promise<Flag | undefined> {
  if (typeof stored !== 'object' || stored === null) return undefined
  // Few ever ask for a history; loaded with the server it would add some milliseconds to every start (decision 0005).
  const { Check } = await import('typebox/value')
  const known = Object.entries(stored).filter(([field]) => Object.hasOwn(Flag.properties, field))
  const flag: unknown = { ...DEFAULTS, ...Object.fromEntries(known) }
  return Check(Flag, flag) ? flag : undefined
}
