import { INTEGRATION_DELIVERIES_MAX, type Integration } from '@burgee/contract'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { DeliveryLog } from '../../parts/deliveries/delivery-log.tsx'
import { DeliveriesDrawer } from '../../parts/deliveries/receiver-drawer.tsx'
import { endpointQuery } from '../../shared/api/queries.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'

/** While the log is looked at, new attempts come in by themselves. */
const REFRESH_EVERY_MS = 2_000

interface IntegrationDeliveriesProps {
  /** The integration with the open log; undefined while none is open. */
  readonly integration: Integration | undefined
  readonly onClose: () => void
}

export function IntegrationDeliveries({ integration, onClose }: IntegrationDeliveriesProps) {
  return (
    <DeliveriesDrawer name={integration?.name} onClose={onClose}>
      {integration && <Log integration={integration} />}
    </DeliveriesDrawer>
  )
}

function Log({ integration: { environment_id, id } }: { readonly integration: Integration }) {
  const { data, error, isFetching, refetch } = useQuery({
    ...endpointQuery('listIntegrationDeliveries', { params: { env_id: environment_id, id } }),
    refetchInterval: REFRESH_EVERY_MS,
  })
  return (
    <DeliveryLog
      attempts={data}
      error={error}
      limit={INTEGRATION_DELIVERIES_MAX}
      isFetching={isFetching}
      onRefresh={() => void refetch()}
      empty={
        <EmptyState icon={<IconSend size={22} />} title="No deliveries yet">
          Send a test, or change a flag of this environment: the attempt appears here.
        </EmptyState>
      }
    />
  )
}
