import { etagOf } from '../../kernel/etag-of.ts'
import { preconditionFailed, stale } from '../../kernel/refusal.ts'

/** The conditions under which a write may happen (RFC 9110, section 13.1), as its headers have them. */
export interface Preconditions {
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

export const preconditionsOf = (headers: Readonly<Record<string, string | undefined>>): Preconditions => ({
  ifMatch: headers['if-match'],
  ifNoneMatch: headers['if-none-match'],
})

/**
 * Compares the conditions with the stored revision (null when nothing is stored). Refuses with `stale` when
 * If-Match does not name the current revision, and when If-None-Match names it; `*` means every revision.
 * Weak tags never match in If-Match.
 */
export function requireRevision(
  current: { readonly key: string; readonly revision: number } | null,
  { ifMatch, ifNoneMatch }: Preconditions,
  noun: 'flag' | 'segment' = 'flag',
): void {
  if (ifMatch !== undefined) {
    if (!current) throw preconditionFailed(`There is no such ${noun}, so If-Match cannot hold.`)
    if (!namesRevision(ifMatch, current.revision)) throw stale(noun, current.revision)
  }
  if (ifNoneMatch === undefined || !current) return
  if (namesRevision(ifNoneMatch.replaceAll('W/"', '"'), current.revision)) throw exists(noun, current)
}

function namesRevision(header: string, revision: number): boolean {
  const tags = header.split(',').map((tag) => tag.trim())
  return tags.includes('*') || tags.includes(etagOf(revision))
}

const exists = (noun: string, { key, revision }: { readonly key: string; readonly revision: number }) =>
  preconditionFailed(
    `A ${noun} with the key "${key}" exists already, at revision ${revision}. ` +
      `Choose another key, or change that ${noun}.`,
  )
