import type { ChangeRequest } from '@burgee/contract'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AnchorLink } from '../../shared/ui/links.tsx'
import classes from './change-requests.module.css'
import { focusNeighbor } from './focus-neighbor.ts'
import { RequestSummary } from './request-summary.tsx'

interface RequestListProps {
  readonly requests: readonly ChangeRequest[]
  /** The id of the one that is open; empty for none. */
  readonly opened: string
  /** True if the requests have different statuses. */
  readonly hasBadges: boolean
}

/** Requests to choose from, newest first. */
export function RequestList({ requests, opened, hasBadges }: RequestListProps) {
  const { project_id, environment_id, environment } = useScope()
  return (
    <ul className={classes.rows} aria-label="Change requests" onKeyDown={focusNeighbor}>
      {requests.map((request) => (
        <li key={request.id}>
          <AnchorLink
            className={classes.row}
            underline="never"
            to="/projects/$project_id/environments/$environment_id/change-requests"
            params={{ project_id, environment_id }}
            search={(before: Readonly<Record<string, unknown>>) => ({ ...before, id: String(request.id) })}
            {...(String(request.id) === opened && { 'aria-current': 'true' as const })}
          >
            <RequestSummary request={request} environment={environment} hasStatus={hasBadges} />
          </AnchorLink>
        </li>
      ))}
    </ul>
  )
}
