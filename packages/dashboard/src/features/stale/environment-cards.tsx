import { formatShare, type ProjectFlag } from '@burgee/contract'
import { Badge, Group, Paper, SimpleGrid, Stack, Text, Title, Tooltip } from '@mantine/core'
import { describeBehaviour } from '../../parts/flag-diff/describe-behaviour.ts'
import { describeFields } from '../../parts/flag-diff/describe-fields.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { ManagedBadge } from '../../shared/ui/managed-badge.tsx'
import { Time } from '../../shared/ui/time.tsx'
import { CardActions } from './card-actions.tsx'

type InEnvironment = ProjectFlag['environments'][number]

const ALL = '100%'

/** The state of a flag in each environment, beside how it differs from the default one. */
export function EnvironmentCards({ flag }: { readonly flag: ProjectFlag }) {
  const standard = flag.environments.find(({ is_default }) => is_default)?.name ?? ''
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" component="section" aria-label="Environments">
      {flag.environments.map((one) => (
        <EnvironmentCard key={one.environment_id} flag_key={flag.flag_key} place={one} standard={standard} />
      ))}
    </SimpleGrid>
  )
}

interface EnvironmentCardProps {
  readonly flag_key: string
  readonly place: InEnvironment
  /** The name of the default environment. */
  readonly standard: string
}

function EnvironmentCard({ flag_key, place, standard }: EnvironmentCardProps) {
  const { environments, project_id } = useScope()
  const { environment_id, flag, impressions, name, values } = place
  const environment = environments.find(({ id }) => id === environment_id)
  const color = environment?.color
  return (
    <Paper withBorder p="md" radius="md">
      <Stack gap="xs">
        <Group gap={8} justify="space-between" wrap="nowrap">
          <Group gap={8} wrap="nowrap" miw={0}>
            {color !== undefined && <EnvironmentDot color={color} />}
            <Title order={2} size="h6" lineClamp={1}>
              {flag ? (
                <AnchorLink
                  inherit
                  to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
                  params={{ project_id, environment_id, flag_key }}
                >
                  {name}
                </AnchorLink>
              ) : (
                name
              )}
            </Title>
          </Group>
          <Group gap={4} wrap="nowrap">
            <Badge variant="light" color={flag?.is_enabled && !flag.archived_at ? 'teal' : 'gray'} tt="none">
              {describeState(flag)}
            </Badge>
            {flag && environment && <CardActions flag={flag} environment={environment} />}
          </Group>
        </Group>
        {flag?.managed_by !== undefined && <ManagedBadge name={flag.managed_by} />}
        {flag && (
          <Text size="sm" c="dimmed">
            Changed <Time at={flag.updated_at} inherit span />
            {flag.updated_by === null ? '' : ` by ${flag.updated_by}`}
          </Text>
        )}
        <Drift place={place} standard={standard} />
        {flag && (
          <Text size="sm" {...(impressions === 0 && { c: 'dimmed' })}>
            {impressions === 0
              ? 'No evaluation in 7 days'
              : `${countOf(impressions, 'evaluation')} in 7 days: ${describeValues(values, impressions)}`}
          </Text>
        )}
        <Waiting place={place} />
      </Stack>
    </Paper>
  )
}

const DRIFTS = {
  same: { color: 'teal', label: 'Text differs, behavior equal' },
  different: { color: 'yellow', label: 'Behaves differently' },
  undecided: { color: 'gray', label: 'Behavior undecided' },
} as const

/** The difference to the default environment: of the text, and of what users get. */
function Drift({ place, standard }: Pick<EnvironmentCardProps, 'place' | 'standard'>) {
  const { behaviour, differs_in, name } = place
  const isEqual = differs_in.length === 0 && behaviour !== 'different'
  if (isEqual)
    return behaviour === 'same' ? (
      <Text size="sm" c="dimmed">
        The same as in {standard}
      </Text>
    ) : null
  const drift = behaviour && DRIFTS[behaviour]
  const text = describeBehaviour(place, { source: standard, target: name })
  return (
    <>
      {drift && (
        <Tooltip label={text} multiline w={300} events={{ hover: true, focus: true, touch: true }}>
          <Badge variant="light" color={drift.color} tt="none" tabIndex={0}>
            {drift.label}
          </Badge>
        </Tooltip>
      )}
      {differs_in.length > 0 && (
        <Text size="sm">
          Differs from {standard} in {describeFields(differs_in)}
        </Text>
      )}
    </>
  )
}

function Waiting({ place: { pending_requests, scheduled_changes } }: { readonly place: InEnvironment }) {
  if (pending_requests + scheduled_changes === 0) return null
  return (
    <Group gap={6}>
      {pending_requests > 0 && (
        <Badge variant="light" color="yellow" tt="none">
          {pending_requests} waiting for approval
        </Badge>
      )}
      {scheduled_changes > 0 && (
        <Badge variant="light" color="blue" tt="none">
          {scheduled_changes} scheduled
        </Badge>
      )}
    </Group>
  )
}

function describeState(flag: InEnvironment['flag']): string {
  if (flag === null) return 'Not created'
  if (flag.archived_at !== null) return 'Archived'
  if (!flag.is_enabled) return 'Off'
  const share = formatShare(flag) ?? ALL
  return share === ALL ? 'On' : `On, ${share}`
}

const describeValues = (values: InEnvironment['values'], all: number): string =>
  values
    .slice(0, 3)
    .map(({ impressions, value }) => `${value} ${Math.round((impressions / all) * 100)}%`)
    .join(', ')
