import type { ChangeRequest } from '@burgee/contract'
import { Badge } from '@mantine/core'

type Status = ChangeRequest['status']

const COLORS: Readonly<Record<Status, string>> = {
  pending: 'yellow',
  approved: 'teal',
  rejected: 'red',
  cancelled: 'gray',
}

/** The status of a request. */
export function StatusBadge({ status }: { readonly status: Status }) {
  return (
    <Badge color={COLORS[status]} variant="light" size="sm" radius="sm" tt="capitalize" flex="none">
      {status === 'cancelled' ? 'canceled' : status}
    </Badge>
  )
}
