import type { Flag } from '@burgee/contract'

/** The flag as each change left it, with the way back. */
export function FlagHistoryTab({ flag }: { readonly flag: Flag }) {
  return <>{flag.key}</>
}
