import { Button, Group } from '@mantine/core'

interface FormActionsProps {
  /** The verb and the thing: "Create segment". */
  readonly submit_label: string
  readonly is_busy: boolean
  readonly onCancel: () => void
}

/** The foot of a form in a dialog: back without a change, or send it. */
export function FormActions({ submit_label, is_busy, onCancel }: FormActionsProps) {
  return (
    <Group justify="flex-end" gap="xs" mt="sm">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={is_busy}>
        {submit_label}
      </Button>
    </Group>
  )
}
