import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'

interface LeaveDialogProps {
  readonly isDirty: boolean
  /** The thing that was changed: "flag". */
  readonly noun: string
}

/** Asks before unsaved changes are left behind, also when the tab is closed. */
export function LeaveDialog({ isDirty, noun }: LeaveDialogProps) {
  const { status, proceed, reset } = useBlocker({
    // Another tab of the same page keeps the draft.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?">
      <Stack gap="md">
        <Text size="sm">Your changes to this {noun} are not saved. If you leave now, they are gone.</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => reset?.()} data-autofocus>
            Stay
          </Button>
          <Button color="red" onClick={() => proceed?.()}>
            Discard and leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
