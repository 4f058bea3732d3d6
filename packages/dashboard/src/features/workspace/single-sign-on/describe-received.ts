import type { ScimSettings } from '@burgee/contract'
import { countOf } from '../../../shared/ui/count-of.ts'

type Counts = Pick<ScimSettings, 'users' | 'disabled_users' | 'groups'>

/** Describes what the identity provider has sent: "12 accounts (1 disabled), 3 groups". */
export function describeReceived({ disabled_users, groups, users }: Counts): string {
  const disabled = disabled_users > 0 ? ` (${disabled_users} disabled)` : ''
  return `${countOf(users, 'account')}${disabled}, ${countOf(groups, 'group')}`
}
