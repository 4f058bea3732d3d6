import { Button, Stack } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
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
import { VerifySignature } from './verify-signature.tsx'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookDrawer } from './webhook-drawer.tsx'
import { WebhookRow } from './webhook-row.tsx'

const ABOUT = 'A webhook posts every change of a flag in this environment to an address of yours, signed.'

/** Receivers of this environment's events, how deliveries went, and how to verify them. */
export function WebhooksPage() {
  const permission = usePermissions()('createWebhook')
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title="Webhooks"
      width="reading"
      description="Every event of this environment, posted to your systems."
      actions={
        <Gated permission={permission}>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
            Create webhook
          </Button>
        </Gated>
      }
    >
      <AdminsOnly reads="listWebhooks" title="Webhooks are for admins" about={ABOUT}>
        <Webhooks onCreate={() => setCreating(true)} />
      </AdminsOnly>
      <WebhookDrawer isOpen={isCreating} webhook={null} onClose={() => setCreating(false)} />
    </Page>
  )
}

function Webhooks({ onCreate }: { readonly onCreate: () => void }) {
  const { environment_id } = useScope()
  const list = useQuery(endpointQuery('listWebhooks', { params: { env_id: environment_id } }))
  const [{ webhook: openedId }, setAddress] = useUrlState({ webhook: '' })
  const [editedId, setEdited] = useState<string | null>(null)
  const failure = list.isError && (
    <Failure
      error={list.error}
      title="The webhooks could not be loaded"
      onRetry={() => void list.refetch()}
    />
  )
  if (!list.data) return failure || <SkeletonRows rows={3} height={56} />
  const edited = list.data.find(({ id }) => id === editedId)
  return (
    <Stack gap="xl">
      {failure}
      {list.data.length === 0 ? (
        <EmptyState
          icon={<IconWebhook size={22} />}
          title="Notify your systems when a flag changes"
          snippet={SNIPPET}
          action={<Button onClick={onCreate}>Create the first webhook</Button>}
        >
          {ABOUT} Use it to post to your own tools, to start a build, or to keep a copy. This is what comes:
        </EmptyState>
      ) : (
        <RowList label="Webhooks" columns="7.5rem">
          {list.data.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onOpen={() => setAddress({ webhook: webhook.id }, { replace: false })}
              onEdit={() => setEdited(webhook.id)}
            />
          ))}
        </RowList>
      )}
      {list.data.length > 0 && <VerifySignature />}
      <WebhookDrawer isOpen={edited !== undefined} webhook={edited ?? null} onClose={() => setEdited(null)} />
      <WebhookDeliveries
        webhook={list.data.find(({ id }) => id === openedId)}
        onClose={() => setAddress({ webhook: '' })}
      />
    </Stack>
  )
}

const SNIPPET = `POST /your/path
webhook-id: evt_311_5f0c9a1be2d4
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQ…

{"type": "flag.updated", "data": {"flag_key": "new-checkout", …}}`
