import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { messageOf } from '../api/api-error.ts'

interface Success {
  readonly title?: string
  readonly message: string
  /** Shown below the message. */
  readonly more?: ReactNode
  /** Offered where taking it back is safe. */
  readonly onUndo?: () => void
}

/** States that something worked, and offers to take it back where that is safe. */
export function notifySuccess({ title, message, more, onUndo }: Success): void {
  const id = notifications.show({
    title,
    color: 'teal',
    autoClose: onUndo ? 8_000 : 4_000,
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" component="div">
          {message}
          {more !== undefined && <> {more}</>}
        </Text>
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

/** States what did not work. Failures of forms are shown in the form instead. */
export function notifyFailure(title: string, error: unknown): void {
  notifications.show({ title, message: messageOf(error), color: 'red', autoClose: 10_000 })
}
