import type { PlacedChangeRequest } from '@burgee/contract'
import { AnchorLink } from '../../shared/ui/links.tsx'
import classes from './change-requests.module.css'
import { focusNeighbor } from './focus-neighbor.ts'
import { RequestSummary } from './request-summary.tsx'

interface AllRequestsListProps {
  readonly requests: readonly PlacedChangeRequest[]
  /** True if the requests have different statuses. */
  readonly hasStatus: boolean
}

/** Requests of several projects, each with its place. A link opens one in its environment. */
export const AllRequestsList = ({ requests, hasStatus }: AllRequestsListProps) => (
  <ul className={classes.rows} aria-label="Change requests" onKeyDown={focusNeighbor}>
    {requests.map((request) => (
      <li key={request.id}>
        <AnchorLink
          className={classes.row}
          underline="never"
          to="/projects/$project_id/environments/$environment_id/change-requests"
          params={{ project_id: request.project.id, environment_id: request.environment.id }}
          search={{ id: String(request.id), ...(request.status !== 'pending' && { status: request.status }) }}
        >
          <RequestSummary
            request={request}
            hasStatus={hasStatus}
            place={`${request.project.name} › ${request.environment.name}`}
          />
        </AnchorLink>
      </li>
    ))}
  </ul>
)
