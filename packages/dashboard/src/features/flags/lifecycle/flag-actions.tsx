import type { Flag } from '@burgee/contract'

/** What can be done to the whole flag: promote, archive, unarchive, delete. */
export function FlagActions({ flag }: { readonly flag: Flag }) {
  return <>{flag.key}</>
}
