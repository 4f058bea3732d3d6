import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { messageOf } from '../api/api-error.ts'

interface Success {
  readonly title?: string
  readonly message: string
  /** Offered where taking it back is safe. */
  readonly onUndo?: () => void
}

/** Says that something worked, and offers to take it back where that is safe. */
export function notifySuccess({ title, message, onUndo }: Success): void {
  const id = notifications.show({
    title,
    color: 'teal',
    autoClose: onUndo ? 8_000 : 4_000,
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm">{message}</Text>
        {onUndo && (
          <Button
            size="compact-xs"
            variant="light"
            onClick={() => {
              notifications.hide(id)
              onUndo()
            }}
          >
            Undo
          </Button>
        )}
      </Group>
    ),
  })
}

/** Says what did not work. Failures of forms are shown in the form instead. */
export function notifyFailure(title: string, error: unknown): void {
  notifications.show({ title, message: messageOf(error), color: 'red', autoClose: 10_000 })
}
