import type { Environment, SdkKey } from '@burgee/contract'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { EnvironmentDot } from '../../../shared/ui/environment-dot.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyRow } from './key-row.tsx'
import { findOrphans } from './key-tree.ts'
import { OrphansNotice } from './orphans-notice.tsx'

/** The use of keys is shown as it is. */
const REFRESH_MS = 10_000

/** The keys that SDKs connect with, by the environment that each opens. */
export function KeysTab() {
  const { project_id, environments } = useScope()
  const { data, error, refetch } = useQuery({
    ...endpointQuery('listSdkKeys', { params: { project_id } }),
    refetchInterval: REFRESH_MS,
  })
  const permission = usePermissions()('createSdkKey')
  const [isCreating, setCreating] = useState(false)
  return (
    <Section
      title="SDK keys"
      description="Each key belongs to one environment. The whole key is shown once, when it is created."
      actions={
        <Gated permission={permission}>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
            Create SDK key
          </Button>
        </Gated>
      }
    >
      {error !== null && (
        <Failure error={error} title="The SDK keys could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <SkeletonRows rows={3} height={56} />}
      {data &&
        findOrphans(data).map((orphans) => (
          <OrphansNotice
            key={orphans.parent_id}
            orphans={orphans}
            environments={environments}
            total={data.length}
          />
        ))}
      {data &&
        environments.map((environment) => (
          <KeysOf key={environment.id} environment={environment} keys={data} />
        ))}
      <CreateKeyDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </Section>
  )
}

interface KeysOfProps {
  readonly environment: Environment
  /** All keys of the project. */
  readonly keys: readonly SdkKey[]
}

function KeysOf({ environment, keys }: KeysOfProps) {
  const own = keys.filter(({ environment_id }) => environment_id === environment.id)
  return (
    <Stack gap={6} mt="xs">
      <Group gap={8} wrap="nowrap">
        <EnvironmentDot color={environment.color} />
        <Title order={3} size="h6" lineClamp={1}>
          {environment.name}
        </Title>
      </Group>
      {own.length === 0 ? (
        <Text size="sm" c="dimmed">
          No key: no SDK can connect to it.
        </Text>
      ) : (
        <RowList label={`SDK keys of ${environment.name}`} columns="5.5rem 12rem">
          {own.map((key) => (
            <KeyRow key={key.id} sdk_key={key} environment={environment} keys={keys} />
          ))}
        </RowList>
      )}
    </Stack>
  )
}
