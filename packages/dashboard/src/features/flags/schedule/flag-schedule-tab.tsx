import type { Flag } from '@burgee/contract'

/** The flag's scheduled changes, those that wait and those that ran. */
export function FlagScheduleTab({ flag }: { readonly flag: Flag }) {
  return <>{flag.key}</>
}
