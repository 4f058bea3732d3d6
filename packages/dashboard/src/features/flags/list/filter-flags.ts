import type { Flag } from '@burgee/contract'
import type { FlagFilters } from './flag-filters.ts'

/** A flag with the text that a search looks into, made once and not with each key that is typed. */
export interface ListedFlag {
  readonly flag: Flag
  readonly haystack: string
}

export const listFlag = (flag: Flag): ListedFlag => ({
  flag,
  haystack: [flag.key, flag.description ?? '', ...flag.tags, flag.owner_email ?? ''].join('\n').toLowerCase(),
})

/** The flags that fit every filter, in the order that they came in. */
export function filterFlags(listed: readonly ListedFlag[], filters: FlagFilters): Flag[] {
  const words = filters.q.toLowerCase().split(/\s+/).filter(Boolean)
  const found: Flag[] = []
  for (const { flag, haystack } of listed) {
    if (fits(flag, filters) && words.every((word) => haystack.includes(word))) found.push(flag)
  }
  return found
}

function fits(flag: Flag, { archived, state, type, owner, tags }: FlagFilters): boolean {
  if (archived !== 'all' && (flag.archived_at !== null) !== (archived === 'archived')) return false
  if (state !== null && flag.is_enabled !== (state === 'on')) return false
  if (type !== null && flag.flag_type !== type) return false
  if (owner !== null && flag.owner_email?.toLowerCase() !== owner.toLowerCase()) return false
  return tags.every((tag) => flag.tags.includes(tag))
}
