import type { Environment } from '@burgee/contract'
import { Box } from '@mantine/core'
import { useConnectionsOf } from '../../parts/connect-app/connected-environments.ts'
import { formatMinute } from '../../parts/schedule/format-minute.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { FirstSteps } from './first-steps.tsx'
import classes from './overview.module.css'
import { OverviewCard, OverviewRow } from './overview-card.tsx'
import { changedToday, runningExperiments, scheduledNext, waitingForMe } from './pick-items.ts'
import { type Overview, useOverview } from './use-overview.ts'

/**
 * The home page of a project: what waits, what changed, what runs and what comes next, in all environments.
 */
export function OverviewPage() {
  const { environments, project, project_id } = useScope()
  const overview = useOverview(project_id, environments)
  return (
    <Page title="Overview" description={project?.name}>
      {overview.error !== null && <Failure error={overview.error} title="A part could not be loaded" />}
      {overview.isPending ? (
        <SkeletonRows rows={4} height={120} />
      ) : (
        <>
          <div className={classes.grid}>
            <Requests overview={overview} />
            <Changes overview={overview} />
            <Experiments overview={overview} />
            <Schedules overview={overview} />
            <Programs environments={environments} />
          </div>
          <Box mt="lg">
            <FirstSteps />
          </Box>
        </>
      )}
    </Page>
  )
}

interface PartProps {
  readonly overview: Overview
}

function Requests({ overview }: PartProps) {
  const { project_id } = useScope()
  return (
    <OverviewCard title="Waiting for your approval" empty="No change waits for you.">
      {waitingForMe(overview.requests).map(({ environment, item }) => (
        <OverviewRow key={`${environment.id} ${item.id}`} environment={environment} at={item.created_at}>
          <AnchorLink
            inherit
            underline="always"
            to="/projects/$project_id/environments/$environment_id/change-requests"
            params={{ project_id, environment_id: environment.id }}
            search={{ id: String(item.id) }}
          >
            {item.flag_key}
          </AnchorLink>{' '}
          by {item.requested_by}
        </OverviewRow>
      ))}
    </OverviewCard>
  )
}

function Changes({ overview }: PartProps) {
  return (
    <OverviewCard title="Changed today" empty="No flag has changed since midnight.">
      {changedToday(overview.changes, new Date()).map(({ environment, item }) => (
        <OverviewRow key={item.id} environment={environment} at={item.created_at}>
          <FlagLink environment={environment} flag_key={item.flag_key} /> by {item.actor_email}
        </OverviewRow>
      ))}
    </OverviewCard>
  )
}

function Experiments({ overview }: PartProps) {
  const { project_id } = useScope()
  return (
    <OverviewCard title="Running experiments" empty="No experiment is running.">
      {runningExperiments(overview.experiments).map(({ environment, item }) => (
        <OverviewRow key={`${environment.id} ${item.key}`} environment={environment}>
          <AnchorLink
            inherit
            underline="always"
            to="/projects/$project_id/environments/$environment_id/experiments/$experiment_key"
            params={{ project_id, environment_id: environment.id, experiment_key: item.key }}
          >
            {item.name}
          </AnchorLink>
        </OverviewRow>
      ))}
    </OverviewCard>
  )
}

function Schedules({ overview }: PartProps) {
  return (
    <OverviewCard title="Scheduled next" empty="No change is scheduled.">
      {scheduledNext(overview.schedules).map(({ environment, item }) => (
        <OverviewRow key={item.id} environment={environment}>
          <FlagLink environment={environment} flag_key={item.flag_key} /> on {formatMinute(item.scheduled_at)}
        </OverviewRow>
      ))}
    </OverviewCard>
  )
}

function Programs({ environments }: { readonly environments: readonly Environment[] }) {
  const { project_id } = useScope()
  const connections = useConnectionsOf(environments)
  return (
    <OverviewCard title="Connected programs" isCounted={false} empty="There is no environment.">
      {environments.flatMap((environment, at) => {
        const streams = connections[at]?.streams
        if (streams === undefined) return []
        return (
          <OverviewRow key={environment.id} environment={environment}>
            <AnchorLink
              inherit
              underline="always"
              to="/projects/$project_id/environments/$environment_id/connect"
              params={{ project_id, environment_id: environment.id }}
            >
              {countOf(streams, 'program')}
            </AnchorLink>
          </OverviewRow>
        )
      })}
    </OverviewCard>
  )
}

interface FlagLinkProps {
  readonly environment: Environment
  readonly flag_key: string
}

function FlagLink({ environment, flag_key }: FlagLinkProps) {
  const { project_id } = useScope()
  return (
    <AnchorLink
      inherit
      underline="always"
      to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
      params={{ project_id, environment_id: environment.id, flag_key }}
    >
      {flag_key}
    </AnchorLink>
  )
}
