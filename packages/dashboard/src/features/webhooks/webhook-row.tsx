import type { Webhook } from '@burgee/contract'
import { Badge, Box, Button, Text } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { IconLockCheck, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { OutcomeBadge } from '../../parts/deliveries/outcome-badge.tsx'
import { endpointQuery } from '../../shared/api/queries.ts'
import { Row } from '../../shared/ui/row-list.tsx'
import { Time } from '../../shared/ui/time.tsx'
import { WebhookMenu } from './webhook-menu.tsx'

interface WebhookRowProps {
  readonly webhook: Webhook
  readonly onOpen: () => void
  readonly onEdit: () => void
}

export function WebhookRow({ webhook, onOpen, onEdit }: WebhookRowProps) {
  return (
    <Row
      icon={<IconWebhook size={18} />}
      title={webhook.name}
      badges={<WebhookBadges webhook={webhook} />}
      subtitle={webhook.url}
      actions={
        <>
          <Button size="xs" variant="default" onClick={onOpen} aria-label={`Deliveries of ${webhook.name}`}>
            Deliveries
          </Button>
          <WebhookMenu webhook={webhook} onEdit={onEdit} />
        </>
      }
    >
      <LastDelivery webhook={webhook} />
    </Row>
  )
}

function WebhookBadges({ webhook: { enabled, has_secret } }: { readonly webhook: Webhook }) {
  return (
    <>
      {has_secret ? (
        <Badge size="sm" variant="light" color="gray" tt="none" leftSection={<IconLockCheck size={11} />}>
          Signed
        </Badge>
      ) : (
        <Badge size="sm" variant="light" color="yellow" tt="none">
          Not signed
        </Badge>
      )}
      {!enabled && (
        <Badge size="sm" variant="light" color="gray" tt="none">
          Disabled
        </Badge>
      )}
    </>
  )
}

const REFRESH_EVERY_MS = 60_000

/**
 * The outcome of the newest attempt. It costs the whole log, so only rows in sight request it, and not often.
 */
function LastDelivery({ webhook }: { readonly webhook: Webhook }) {
  const params = { env_id: webhook.environment_id, id: webhook.id }
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const { data, isError } = useQuery({
    ...endpointQuery('listWebhookDeliveries', { params }),
    enabled: inViewport,
    staleTime: REFRESH_EVERY_MS,
    refetchInterval: REFRESH_EVERY_MS,
  })
  const last = data?.[0]
  return (
    <Box ref={ref} mih={20}>
      {last ? (
        <>
          <OutcomeBadge attempt={last} />
          <Time at={last.delivered_at} size="xs" display="block" mt={2} />
        </>
      ) : (
        <Text size="xs" c="dimmed">
          {data ? 'Nothing sent yet' : isError && 'Could not be loaded'}
        </Text>
      )}
    </Box>
  )
}
