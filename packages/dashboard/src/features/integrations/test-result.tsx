import { Box, CloseButton, Code, Group, Stack, Text } from '@mantine/core'
import { deliveryOutcome } from '../../parts/deliveries/delivery-outcome.ts'
import { OutcomeBadge } from '../../parts/deliveries/outcome-badge.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import type { TestOutcome } from './use-test-integration.ts'

interface TestResultProps {
  readonly outcome: TestOutcome
  readonly onClose: () => void
}

/** The response of the chat to the sample, shown at the place that requested it. */
export function TestResult({ outcome, onClose }: TestResultProps) {
  return (
    <Box pl={{ base: 14, sm: 44 }} pr={14} pb={12} role="status">
      {outcome.kind === 'failed' ? (
        <Failure error={outcome.error} title="The sample was not sent" />
      ) : (
        <Attempted outcome={outcome} onClose={onClose} />
      )}
    </Box>
  )
}

interface AttemptedProps extends TestResultProps {
  readonly outcome: Extract<TestOutcome, { kind: 'attempted' }>
}

function Attempted({ outcome: { delivery }, onClose }: AttemptedProps) {
  const { kind, words } = deliveryOutcome(delivery)
  const { duration_ms, response_body } = delivery
  return (
    <Stack gap={8}>
      <Group gap={10} wrap="nowrap">
        <OutcomeBadge attempt={delivery} />
        <Text size="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
          {kind === 'delivered' ? 'The sample arrived.' : words}{' '}
          {duration_ms !== null && <Took ms={duration_ms} />}
        </Text>
        <CloseButton size="sm" aria-label="Close the result of the test" onClick={onClose} />
      </Group>
      {kind !== 'delivered' && response_body && (
        <Code block tabIndex={0} role="group" aria-label="Response body" mah={120} style={SCROLLS}>
          {response_body}
        </Code>
      )}
    </Stack>
  )
}

const Took = ({ ms }: { readonly ms: number }) => (
  <Text span size="xs" c="dimmed">
    {ms} ms
  </Text>
)

const SCROLLS = { overflow: 'auto', whiteSpace: 'pre-wrap' } as const
