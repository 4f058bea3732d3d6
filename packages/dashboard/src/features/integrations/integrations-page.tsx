import { Button, Text } from '@mantine/core'
import { IconBellRinging, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../shared/api/queries.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { AdminsOnly } from '../../shared/ui/admins-only.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { RowList } from '../../shared/ui/row-list.tsx'
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx'
import { IntegrationDeliveries } from './integration-deliveries.tsx'
import { IntegrationDrawer } from './integration-drawer.tsx'
import { IntegrationRow } from './integration-row.tsx'
import classes from './sample-message.module.css'

const ABOUT = 'An alert is posted to a Slack or Teams channel when a flag of this environment is changed.'

/** The chats that receive events of this environment, each with a test and its delivery log. */
export function IntegrationsPage() {
  const permission = usePermissions()('createIntegration')
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title="Slack & Teams"
      width="reading"
      description="Who changed what in this environment, in Slack or Microsoft Teams."
      actions={
        <Gated permission={permission}>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
            Create alert
          </Button>
        </Gated>
      }
    >
      <AdminsOnly reads="listIntegrations" title="Slack & Teams alerts are for admins" about={ABOUT}>
        <Integrations onCreate={() => setCreating(true)} />
      </AdminsOnly>
      <IntegrationDrawer isOpen={isCreating} integration={null} onClose={() => setCreating(false)} />
    </Page>
  )
}

function Integrations({ onCreate }: { readonly onCreate: () => void }) {
  const { environment_id } = useScope()
  const list = useQuery(endpointQuery('listIntegrations', { params: { env_id: environment_id } }))
  const [{ alert: openedId }, setAddress] = useUrlState({ alert: '' })
  const [editedId, setEdited] = useState<string | null>(null)
  const failure = list.isError && (
    <Failure error={list.error} title="The alerts could not be loaded" onRetry={() => void list.refetch()} />
  )
  if (!list.data) return failure || <SkeletonRows rows={3} height={56} />
  if (list.data.length === 0) return <NoIntegrations onCreate={onCreate} />
  const edited = list.data.find(({ id }) => id === editedId)
  return (
    <>
      {failure}
      <RowList label="Slack & Teams alerts" columns="11rem">
        {list.data.map((integration) => (
          <IntegrationRow
            key={integration.id}
            integration={integration}
            onOpen={() => setAddress({ alert: integration.id }, { replace: false })}
            onEdit={() => setEdited(integration.id)}
          />
        ))}
      </RowList>
      <IntegrationDrawer
        isOpen={edited !== undefined}
        integration={edited ?? null}
        onClose={() => setEdited(null)}
      />
      <IntegrationDeliveries
        integration={list.data.find(({ id }) => id === openedId)}
        onClose={() => setAddress({ alert: '' })}
      />
    </>
  )
}

const NoIntegrations = ({ onCreate }: { readonly onCreate: () => void }) => (
  <EmptyState
    icon={<IconBellRinging size={22} />}
    title="Let the team see what changes"
    action={<Button onClick={onCreate}>Create the first alert</Button>}
  >
    {ABOUT} In Slack add an “Incoming webhook”, in Teams the workflow “When a Teams webhook request is
    received”, and paste its address here. Messages look like this:
    <SampleMessage />
  </EmptyState>
)

/** An example of a message in the chat. */
const SampleMessage = () => (
  <div className={classes.message}>
    <Text size="sm" fw={600} c="var(--mantine-color-text)">
      ada@example.com changed new-checkout
    </Text>
    <Text size="xs">Environment Production · State on · Rollout 25%</Text>
  </div>
)
