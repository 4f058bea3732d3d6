import type { Flag } from '@burgee/contract'

/** The part of a flag that the page shows. */
export type KnownFlag = Pick<Flag, 'key' | 'revision' | 'archived_at'>

/** A flag that the page shows in another state than SDKs see. */
export interface StaleFlag {
  readonly key: string
  /** The two states that differ: asking again about the very same ones leads nowhere. */
  readonly difference: string
}

/**
 * Compares the flags on the page with those that the stream has sent since its beginning. The stream sends
 * all that SDKs see: revisions by key. Archived flags are not in it. `isWhole` states that `known` is all
 * flags of the environment, so that one that is missing there is new.
 */
export function findStaleFlags(
  streamed: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, KnownFlag>,
  isWhole: boolean,
): StaleFlag[] {
  const behind = [...streamed].flatMap(([key, revision]) => {
    const shown = known.get(key)
    if (shown ? shown.revision >= revision : !isWhole) return []
    return [{ key, difference: `${key} ${shown?.revision ?? 'new'} ${revision}` }]
  })
  const gone = [...known.values()]
    .filter(({ archived_at, key }) => archived_at === null && !streamed.has(key))
    .map(({ key, revision }) => ({ key, difference: `${key} ${revision} gone` }))
  return [...behind, ...gone]
}
