import { WEBHOOK_DELIVERIES_MAX, type Webhook, type WebhookDelivery } from '@burgee/contract'
import { Alert, Button, Stack } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DeliveryLog } from '../../parts/deliveries/delivery-log.tsx'
import { DeliveriesDrawer } from '../../parts/deliveries/receiver-drawer.tsx'
import { call } from '../../shared/api/call.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'

/** While the log is looked at, new attempts come in by themselves. */
const REFRESH_EVERY_MS = 2_000

interface WebhookDeliveriesProps {
  /** The webhook with the open log; undefined while none is open. */
  readonly webhook: Webhook | undefined
  readonly onClose: () => void
}

/** The newest attempts of a webhook; every one can be sent once more. */
export function WebhookDeliveries({ webhook, onClose }: WebhookDeliveriesProps) {
  return (
    <DeliveriesDrawer name={webhook?.name} onClose={onClose}>
      {webhook && <Log webhook={webhook} />}
    </DeliveriesDrawer>
  )
}

function Log({ webhook }: { readonly webhook: Webhook }) {
  const params = { env_id: webhook.environment_id, id: webhook.id }
  const { data, error, isFetching, refetch } = useQuery({
    ...endpointQuery('listWebhookDeliveries', { params }),
    refetchInterval: REFRESH_EVERY_MS,
  })
  return (
    <Stack>
      {!webhook.enabled && (
        <Alert color="yellow" variant="light">
          This webhook is disabled: new events are not sent to it. Past ones can still be sent again.
        </Alert>
      )}
      <DeliveryLog
        attempts={data}
        error={error}
        limit={WEBHOOK_DELIVERIES_MAX}
        isFetching={isFetching}
        onRefresh={() => void refetch()}
        empty={
          <EmptyState icon={<IconSend size={22} />} title="Nothing has been sent yet">
            Change a flag of this environment, and the attempt appears here within a second.
          </EmptyState>
        }
        actions={(attempt) => <Redeliver webhook={webhook} attempt={attempt} />}
      />
    </Stack>
  )
}

function Redeliver({ webhook, attempt }: { readonly webhook: Webhook; readonly attempt: WebhookDelivery }) {
  const [isBusy, setBusy] = useState(false)
  const redeliver = async () => {
    setBusy(true)
    try {
      const params = { env_id: webhook.environment_id, id: webhook.id, delivery_id: attempt.id }
      await call('redeliverWebhookDelivery', { params })
      notifySuccess({ message: 'It is being sent again, under the same webhook-id.' })
    } catch (error) {
      notifyFailure('It was not sent again', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size="xs"
      variant="default"
      w="fit-content"
      leftSection={<IconSend size={14} />}
      loading={isBusy}
      onClick={() => void redeliver()}
    >
      Redeliver
    </Button>
  )
}
