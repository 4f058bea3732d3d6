import { Button, Group } from '@mantine/core'

interface FormActionsProps {
  /** The verb and the thing: "Create segment". */
  readonly submitLabel: string
  readonly isBusy: boolean
  readonly onCancel: () => void
}

/** The foot of a form in a dialog: back without a change, or send it. */
export function FormActions({ submitLabel, isBusy, onCancel }: FormActionsProps) {
  return (
    <Group justify="flex-end" gap="xs" mt="sm">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isBusy}>
        {submitLabel}
      </Button>
    </Group>
  )
}
