import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { ApprovalDialog } from '../approvals/approval-dialog.tsx'
import { ExceededBounds } from '../exceeded-bounds/exceeded-bounds.tsx'
import { EnvironmentDialog } from './environment-dialog.tsx'
import { EnvironmentRow } from './environment-row.tsx'

type Opened = { readonly kind: 'edit' | 'approval'; readonly id: string } | { readonly kind: 'create' } | null

/** Each environment has its own flags, keys and approvals. */
export function EnvironmentsTab() {
  const { project_id } = useScope()
  const { data, error, refetch } = useQuery(endpointQuery('listEnvironments', { params: { project_id } }))
  const permission = usePermissions()('createEnvironment')
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  const subject = opened && 'id' in opened ? data?.find(({ id }) => id === opened.id) : undefined
  return (
    <Stack gap="xl">
      <Section
        title="Environments"
        description="Each environment has its own flags and SDK keys. Calls that name no environment use the default one."
        actions={
          <Gated permission={permission}>
            <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened({ kind: 'create' })}>
              Create environment
            </Button>
          </Gated>
        }
      >
        {error !== null && (
          <Failure
            error={error}
            title="The environments could not be loaded"
            onRetry={() => void refetch()}
          />
        )}
        {!data && error === null && <SkeletonRows rows={3} height={56} />}
        {data && (
          <RowList label="Environments" columns="18rem">
            {data.map((environment) => (
              <EnvironmentRow
                key={environment.id}
                environment={environment}
                isLast={data.length === 1}
                onEdit={() => setOpened({ kind: 'edit', id: environment.id })}
                onApproval={() => setOpened({ kind: 'approval', id: environment.id })}
              />
            ))}
          </RowList>
        )}
        <EnvironmentDialog isOpen={opened?.kind === 'create'} environment={null} onClose={close} />
        <EnvironmentDialog
          isOpen={opened?.kind === 'edit' && subject !== undefined}
          environment={subject ?? null}
          onClose={close}
        />
        {opened?.kind === 'approval' && subject && <ApprovalDialog environment={subject} onClose={close} />}
      </Section>
      <ExceededBounds environments={data ?? []} />
    </Stack>
  )
}
