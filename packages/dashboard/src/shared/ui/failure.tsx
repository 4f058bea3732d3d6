import { Alert, Button, Group, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError, messageOf } from '../api/api-error.ts'

interface FailureProps {
  readonly error: unknown
  /** The action that failed: "The flags could not be loaded". */
  readonly title?: string
  readonly onRetry?: () => void
}

/** The failure and its remedy, shown where it happened. */
export function Failure({ error, title, onRetry }: FailureProps) {
  const details = error instanceof ApiError ? error.details : []
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />} title={title}>
      <Text size="sm">{messageOf(error)}</Text>
      {details.length > 0 && (
        <List size="sm" mt={4}>
          {details.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <b>{path}</b> {message}
            </List.Item>
          ))}
        </List>
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
