import { formatShare, type ProjectFlag } from '@burgee/contract'
import { Badge, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { Time } from '../../shared/ui/time.tsx'

type InEnvironment = ProjectFlag['environments'][number]

const ALL = '100 %'

/** The state of a flag in each environment, beside how it differs from the default one. */
export function EnvironmentCards({ flag }: { readonly flag: ProjectFlag }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" component="section" aria-label="Environments">
      {flag.environments.map((one) => (
        <EnvironmentCard key={one.environment_id} flag_key={flag.flag_key} place={one} />
      ))}
    </SimpleGrid>
  )
}

function EnvironmentCard({ flag_key, place }: { readonly flag_key: string; readonly place: InEnvironment }) {
  const { environments, project_id } = useScope()
  const { differs_in, environment_id, flag, impressions, name, values } = place
  const color = environments.find(({ id }) => id === environment_id)?.color
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
          <Badge variant="light" color={flag?.is_enabled && !flag.archived_at ? 'teal' : 'gray'} tt="none">
            {describeState(flag)}
          </Badge>
        </Group>
        {flag && (
          <Text size="sm" c="dimmed">
            Changed <Time at={flag.updated_at} inherit span />
            {flag.updated_by === null ? '' : ` by ${flag.updated_by}`}
          </Text>
        )}
        {differs_in.length > 0 && (
          <Text size="sm">Differs in {differs_in.map((field) => field.replaceAll('_', ' ')).join(', ')}</Text>
        )}
        {flag && (
          <Text size="sm" {...(impressions === 0 && { c: 'dimmed' })}>
            {impressions === 0
              ? 'No evaluation in 7 days'
              : `${impressions.toLocaleString('en')} ${impressions === 1 ? 'evaluation' : 'evaluations'} in 7 days: ${describeValues(values, impressions)}`}
          </Text>
        )}
        <Waiting place={place} />
      </Stack>
    </Paper>
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
  if (flag === null) return 'Not here'
  if (flag.archived_at !== null) return 'Archived'
  if (!flag.is_enabled) return 'Off'
  const share = formatShare(flag) ?? ALL
  return share === ALL ? 'On' : `On, ${share}`
}

const describeValues = (values: InEnvironment['values'], all: number): string =>
  values
    .slice(0, 3)
    .map(({ impressions, value }) => `${value} ${Math.round((impressions / all) * 100)} %`)
    .join(', ')
