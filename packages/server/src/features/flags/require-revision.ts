import type { Flag } from '@burgee/contract'
import { etagOf } from '../../kernel/etag-of.ts'
import { Refusal, stale } from '../../kernel/refusal.ts'

/**
 * Checks If-Match (RFC 9110, section 13.1.1) against a flag's revision; `*` only requires that the flag
 * exists. Refuses with `stale` when no tag names the current revision. Weak tags never match.
 */
export function requireRevision(flag: Flag | null, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return
  if (!flag) throw new Refusal('stale', 'There is no such flag, so If-Match cannot hold.')
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes('*') && !tags.includes(etagOf(flag.revision))) throw stale(flag.revision)
}
