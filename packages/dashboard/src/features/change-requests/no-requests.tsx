import { Button } from '@mantine/core'
import { IconGitPullRequest } from '@tabler/icons-react'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { ButtonLink } from '../../shared/ui/links.tsx'
import type { StatusTab } from './use-change-requests.ts'

interface NoRequestsProps {
  readonly tab: StatusTab
  /** Set where a search or a filter narrows the list. */
  readonly onClear?: () => void
}

/** An empty inbox states whether approval is needed here at all, and how it is turned on. */
export function NoRequests({ tab, onClear }: NoRequestsProps) {
  const { project_id, environment } = useScope()
  const icon = <IconGitPullRequest size={22} />
  if (onClear) {
    return (
      <EmptyState
        icon={icon}
        title="No request fits"
        action={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        The search looks into flag keys, requesters and comments.
      </EmptyState>
    )
  }
  if (tab !== 'pending' && tab !== 'all') {
    return (
      <EmptyState icon={icon} title={`No ${tab} requests`}>
        Requests are listed here once they are {tab}.
      </EmptyState>
    )
  }
  if (environment?.require_approval) {
    return (
      <EmptyState icon={icon} title="No changes waiting for approval">
        {environment.approval_scope === 'all'
          ? `Every change to a flag in ${environment.name} comes here first.`
          : `Edits of flags in ${environment.name} come here first.`}{' '}
        Someone other than the requester approves them.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={icon}
      title="Changes happen at once here"
      action={
        <ButtonLink variant="light" to="/projects/$project_id/settings" params={{ project_id }}>
          Open project settings
        </ButtonLink>
      }
    >
      Turn on “require approval” for {environment?.name ?? 'this environment'}, and every change to a flag
      waits here, with its diff, until a second person approves it.
    </EmptyState>
  )
}
