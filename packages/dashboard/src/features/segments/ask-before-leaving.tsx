import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'

/** Leaving the page, or the whole site, with unsaved changes is asked about first. */
export function AskBeforeLeaving({ is_dirty }: { readonly is_dirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => is_dirty && current.pathname !== next.pathname,
    enableBeforeUnload: is_dirty,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?">
      <Text size="sm">Your changes to this segment are not saved and will be lost.</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          Stay and go on editing
        </Button>
        <Button color="red" onClick={() => proceed?.()}>
          Leave and lose them
        </Button>
      </Group>
    </Modal>
  )
}
