import type { ChangeRequest, Environment } from '@burgee/contract'
import { Badge } from '@mantine/core'
import { approvalProgress } from './approval-progress.ts'
import { StatusBadge } from './status-badge.tsx'

interface RequestBadgesProps {
  readonly request: ChangeRequest
  /** Undefined where it is not known how many approvals are needed. */
  readonly environment?: Pick<Environment, 'min_approvals'> | undefined
  /** True if the requests of the list have different statuses. */
  readonly hasStatus: boolean
}

/** The marks of a request in a list: progress, bypass and status. */
export function RequestBadges({ request, environment, hasStatus }: RequestBadgesProps) {
  const { given, needed } = approvalProgress(request, environment)
  const isCounted = request.status === 'pending' && needed > 1
  return (
    <>
      {isCounted && (
        <Badge size="sm" variant="default" radius="sm" tt="none" flex="none">
          {given} of {needed}
        </Badge>
      )}
      {request.bypass_reason !== null && (
        <Badge size="sm" variant="light" color="red" radius="sm" tt="none" flex="none">
          Without approval
        </Badge>
      )}
      {hasStatus && <StatusBadge status={request.status} />}
    </>
  )
}
