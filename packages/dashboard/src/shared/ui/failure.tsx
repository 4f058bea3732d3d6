import { Alert, Button, Group, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError, messageOf } from '../api/api-error.ts'
import { describeDetail } from '../api/plain-text.ts'

interface FailureProps {
  readonly error: unknown
  /** The action that failed: "The flags could not be loaded". */
  readonly title?: string
  readonly onRetry?: () => void
  /** Leaves out what the page shows already. */
  readonly shorten?: (message: string) => string
}

/** The failure and its remedy, shown where it happened. */
export function Failure({ error, title, onRetry, shorten = (message) => message }: FailureProps) {
  // The text of an error with details is the list of these.
  const problems = error instanceof ApiError ? [...new Set(error.details.map(describeDetail))] : []
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />} title={title}>
      {problems.length > 1 ? (
        <List size="sm">
          {problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      ) : (
        // A remedy may have commands on lines of their own.
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {shorten(problems[0] ?? messageOf(error))}
        </Text>
      )}
      {onRetry && (
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  )
}
