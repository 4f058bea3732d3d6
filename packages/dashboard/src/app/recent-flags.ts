import { USER_DATA } from '../shared/user-data.ts'
import type { Place } from './last-location.ts'

/** A flag that was opened, in its environment. */
export interface RecentFlag extends Place {
  readonly flag_key: string
}

/** Enough to switch between the flags of a working day. */
const RECENT_MAX = 6

/** The list with the flag at its front, once. */
export function addRecentFlag(list: readonly RecentFlag[], flag: RecentFlag): RecentFlag[] {
  const others = list.filter(
    ({ flag_key, environment_id }) => flag_key !== flag.flag_key || environment_id !== flag.environment_id,
  )
  return [flag, ...others].slice(0, RECENT_MAX)
}

/**
 * Reads the stored flags, which anyone with the browser may have edited: entries that do not fit are left
 * out.
 */
export function parseRecentFlags(text: string | null): RecentFlag[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecentFlag).slice(0, RECENT_MAX) : []
  } catch {
    return []
  }
}

const isRecentFlag = (entry: unknown): entry is RecentFlag =>
  typeof entry === 'object' &&
  entry !== null &&
  ['project_id', 'environment_id', 'flag_key'].every(
    (field) => typeof (entry as Record<string, unknown>)[field] === 'string',
  )

/** Remembers in this browser that a flag was opened. */
export function rememberFlag(flag: RecentFlag): void {
  try {
    const list = addRecentFlag(recallFlags(), flag)
    localStorage.setItem(USER_DATA.recentFlags, JSON.stringify(list))
  } catch {
    // Storage is blocked: the palette begins without recent flags.
  }
}

/** The flags that were opened last in this browser, newest first. */
export function recallFlags(): RecentFlag[] {
  try {
    return parseRecentFlags(localStorage.getItem(USER_DATA.recentFlags))
  } catch {
    return []
  }
}
