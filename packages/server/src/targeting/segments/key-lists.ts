import type { Segment } from '@burgee/contract'

type KeyLists = Pick<Segment, 'included_keys' | 'excluded_keys'>
type GivenLists = { readonly [Name in keyof KeyLists]?: readonly string[] | null | undefined }

/** Returns the lists of user keys without repetitions, each absent when it is empty. */
export function keyListsOf({ excluded_keys, included_keys }: GivenLists): KeyLists {
  const included = [...new Set(included_keys)]
  const excluded = [...new Set(excluded_keys)]
  return {
    ...(included.length > 0 && { included_keys: included }),
    ...(excluded.length > 0 && { excluded_keys: excluded }),
  }
}
