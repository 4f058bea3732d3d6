import type { Environment, ExceededBound } from '@burgee/contract'
import { Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { AnchorLink } from '../../../shared/ui/links.tsx'
import { Row, RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { useFirstRows } from '../../../shared/ui/use-first-rows.tsx'

interface ExceededBoundsProps {
  readonly environments: readonly Pick<Environment, 'id' | 'name'>[]
}

/** The list of stored things that exceed a bound. Nothing is shown where there is none. */
export function ExceededBounds({ environments }: ExceededBoundsProps) {
  const { project_id } = useScope()
  const { isAllowed } = usePermissions()('listExceededBounds')
  const { data, error, refetch } = useQuery({
    ...endpointQuery('listExceededBounds', { params: { project_id } }),
    enabled: isAllowed,
  })
  const { shown, more } = useFirstRows(data ?? [])
  if (error !== null)
    return (
      <Failure
        error={error}
        title="What exceeds a bound could not be loaded"
        onRetry={() => void refetch()}
      />
    )
  if (shown.length === 0) return null
  return (
    <Section
      title="Beyond a bound"
      description="Stored before there was a bound, or rules that can cost more than an evaluation may. All of it goes on. Each line has what to do."
    >
      <RowList label="Beyond a bound">
        {shown.map((found) => (
          <Row
            key={found.id}
            title={<Name found={found} />}
            badges={
              <Badge size="sm" variant="light" color="gray" tt="none">
                {KINDS[found.kind]}
              </Badge>
            }
            below={
              <Text size="xs" c="dimmed" px={14} pb={8} style={{ overflowWrap: 'anywhere' }}>
                {placeOf(found, environments)}
                {found.message}
              </Text>
            }
          />
        ))}
      </RowList>
      {more}
    </Section>
  )
}

function Name({ found }: { readonly found: ExceededBound }) {
  const { environment_id, key, project_id, resource } = found
  if (resource !== 'flag' || environment_id === null || project_id === null)
    return (
      <>
        {RESOURCES[resource]} {key}
      </>
    )
  return (
    <AnchorLink
      inherit
      to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
      params={{ project_id, environment_id, flag_key: key }}
    >
      {key}
    </AnchorLink>
  )
}

function placeOf(
  { environment_id }: ExceededBound,
  environments: ExceededBoundsProps['environments'],
): string {
  const name = environments.find(({ id }) => id === environment_id)?.name
  return name === undefined ? '' : `${name}: `
}

const KINDS: Readonly<Record<ExceededBound['kind'], string>> = {
  value_schema: 'Schema of values',
  evaluation_bound: 'Cost of an evaluation',
  receivers: 'Receivers',
  name: 'Name',
}

const RESOURCES: Readonly<Record<ExceededBound['resource'], string>> = {
  flag: 'Flag',
  segment: 'Segment',
  webhooks: 'Webhooks of',
  integrations: 'Chat integrations of',
  project: 'Project',
  environment: 'Environment',
  sdk_key: 'SDK key',
  webhook: 'Webhook',
  integration: 'Chat integration',
  experiment: 'Experiment',
  workspace: 'Workspace',
  user: 'Person',
  role: 'Role',
  access_token: 'Access token',
  passkey: 'Passkey',
}
