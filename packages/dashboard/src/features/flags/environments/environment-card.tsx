import type { Environment, Flag } from '@burgee/contract'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { KnownFlag } from '../../../parts/flag-writes/flag-write.ts'
import { switchQuestion } from '../../../parts/flag-writes/switch-question.ts'
import { useSwitchFlag } from '../../../parts/flag-writes/use-switch-flag.ts'
import { hasStatus } from '../../../shared/api/api-error.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { EnvironmentDot } from '../../../shared/ui/environment-dot.tsx'
import { AnchorLink } from '../../../shared/ui/links.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { describeServing } from '../list/describe-serving.ts'
import { FlagSwitch } from '../list/flag-switch.tsx'
import classes from './environment-strip.module.css'

/** The stream follows the open environment only. */
const POLL_MS = 15_000

interface EnvironmentCardProps {
  readonly environment: Environment
  readonly flag_key: string
}

/** The flag in one environment. */
export function EnvironmentCard({ environment, flag_key }: EnvironmentCardProps) {
  const { project_id, environment_id } = useScope()
  const isOpen = environment.id === environment_id
  const params = { env_id: environment.id, key: flag_key }
  const { data: flag, error } = useQuery({
    ...endpointQuery('getFlag', { params }),
    refetchInterval: isOpen ? false : POLL_MS,
    throwOnError: false,
  })
  return (
    <li className={classes.card} aria-current={isOpen ? 'page' : undefined}>
      <div className={classes.title}>
        <EnvironmentDot color={environment.color} />
        <AnchorLink
          className={classes.name}
          size="sm"
          to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
          params={{ project_id, environment_id: environment.id, flag_key }}
        >
          {environment.name}
        </AnchorLink>
        {flag && !error && <CardSwitch flag={flag} environment={environment} />}
      </div>
      {error ? (
        <Text size="xs" c="dimmed">
          {describeFailure(error)}
        </Text>
      ) : flag ? (
        <>
          <Text size="sm" lineClamp={2} title={describeServing(flag)}>
            {describeServing(flag)}
          </Text>
          <LastChange flag={flag} />
        </>
      ) : (
        <Skeleton height={36} />
      )}
    </li>
  )
}

function describeFailure(error: unknown): string {
  if (hasStatus(error, 404)) return 'Not created here'
  return hasStatus(error, 403) ? 'Your role may not see it here' : 'Could not be loaded'
}

function CardSwitch({ flag, environment }: { readonly flag: Flag; readonly environment: Environment }) {
  const { project_id } = useScope()
  const permission = usePermissions(undefined, environment.id)('patchFlag')
  const onSwitch = useSwitchFlag({ project_id, environment_id: environment.id })
  return (
    <span className={classes.switch}>
      <FlagSwitch
        flag={flag}
        tabIndex={0}
        label={`${flag.key} is on in ${environment.name}`}
        question={switchQuestion(environment)}
        environment={environment}
        permission={permission}
        onSwitch={onSwitch}
      />
    </span>
  )
}

function LastChange({ flag: { revision, updated_at, updated_by } }: { readonly flag: KnownFlag }) {
  return (
    <Text size="xs" c="dimmed" className={classes.change}>
      {updated_at ? <Time at={updated_at} size="xs" span /> : `Revision ${revision}`}
      {updated_by && ` by ${updated_by}`}
    </Text>
  )
}
