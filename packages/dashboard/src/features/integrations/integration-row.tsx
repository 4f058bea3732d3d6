import { DOMAIN_EVENTS, type Integration } from '@burgee/contract'
import { Badge, Button, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { Row } from '../../shared/ui/row-list.tsx'
import { CHAT_KINDS } from './chat-kinds.tsx'
import { EVENT_LABELS } from './event-labels.ts'
import { IntegrationMenu } from './integration-menu.tsx'
import { TestResult } from './test-result.tsx'
import { useTestIntegration } from './use-test-integration.ts'

interface IntegrationRowProps {
  readonly integration: Integration
  readonly onOpen: () => void
  readonly onEdit: () => void
}

export function IntegrationRow({ integration, onOpen, onEdit }: IntegrationRowProps) {
  const { enabled, kind, name, webhook_url_preview } = integration
  const { isBusy, outcome, test } = useTestIntegration(integration)
  const [isShown, setShown] = useState(false)
  const start = () => {
    setShown(true)
    void test()
  }
  return (
    <Row
      icon={CHAT_KINDS[kind].icon}
      title={name}
      badges={
        <>
          <Badge size="sm" variant="light" color="gray" tt="none">
            {CHAT_KINDS[kind].name}
          </Badge>
          {!enabled && (
            <Badge size="sm" variant="light" color="yellow" tt="none">
              Disabled
            </Badge>
          )}
        </>
      }
      subtitle={webhook_url_preview}
      actions={
        <>
          <Button size="xs" variant="default" onClick={start} loading={isBusy} aria-label={`Test ${name}`}>
            Test
          </Button>
          <Button size="xs" variant="default" onClick={onOpen} aria-label={`Deliveries of ${name}`}>
            Deliveries
          </Button>
          <IntegrationMenu integration={integration} onEdit={onEdit} />
        </>
      }
      below={isShown && outcome && <TestResult outcome={outcome} onClose={() => setShown(false)} />}
    >
      <SubscribedEvents events={integration.events} />
    </Row>
  )
}

/** The events that it receives, in short; all of them in a tooltip. */
function SubscribedEvents({ events }: { readonly events: Integration['events'] }) {
  if (events.length === 0 || events.length === DOMAIN_EVENTS.length) {
    return (
      <Text size="xs" c="dimmed">
        All events
      </Text>
    )
  }
  const labels = events.map((event) => EVENT_LABELS[event].label)
  return (
    <Tooltip label={labels.join(' · ')}>
      <Text size="xs" c="dimmed">
        {events.length === 1 ? labels[0] : `${events.length} of ${DOMAIN_EVENTS.length} events`}
      </Text>
    </Tooltip>
  )
}
