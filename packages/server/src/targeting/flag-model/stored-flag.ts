import { Flag } from '@burgee/contract'
import { toFlagContent } from './flag.ts'

/**
 * The defaults for fields that did not exist when the flag was stored. Key, switch and revision always
 * existed.
 */
const { is_enabled: _i, key: _k, ...CONTENT_DEFAULTS } = toFlagContent({ key: '', is_enabled: false })
const DEFAULTS = { ...CONTENT_DEFAULTS, archived_at: null }

/**
 * Reads a flag from the audit log, written by this or an earlier version of the program: missing fields get
 * their defaults, obsolete ones are left out. Undefined when it is not a flag.
 */
export async function readStoredFlag(stored: unknown): Promise<Flag | undefined> {
  if (typeof stored !== 'object' || stored === null) return undefined
  // Histories are rarely requested; loading this with the server would add some milliseconds to every start
  // (decision 0005).
  const { Check } = await import('typebox/value')
  const known = Object.entries(stored).filter(([field]) => Object.hasOwn(Flag.properties, field))
  const flag: unknown = { ...DEFAULTS, ...Object.fromEntries(known) }
  return Check(Flag, flag) ? flag : undefined
}
