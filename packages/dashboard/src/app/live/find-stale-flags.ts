import type { Flag } from '@burgee/contract'

/** What the page shows of a flag. */
export type KnownFlag = Pick<Flag, 'key' | 'revision' | 'archived_at'>

/** A flag that the page shows in another state than SDKs see. */
export interface StaleFlag {
  readonly key: string
  /** The two states that differ: asking again about the very same ones leads nowhere. */
  readonly difference: string
}

/**
 * Compares what the page shows with what the stream has sent since its beginning, which is all that SDKs see: revisions by key. Archived
 * flags are not in the stream. `isWhole` says that `known` is all flags of the environment, so that one that is missing there is new.
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
