import { Button, Group } from '@mantine/core'
import type { Permission } from '../scope/use-permissions.ts'
import { Gated } from '../ui/gated.tsx'
import classes from './actions.module.css'

interface FormActionsProps {
  /** The verb and the thing: "Create segment". */
  readonly submitLabel: string
  readonly isBusy: boolean
  readonly onCancel: () => void
  /** Refused, with the reason, while the form cannot be sent. */
  readonly permission?: Permission
}

const ALLOWED: Permission = { isAllowed: true }

/** The foot of a form in a dialog: back without a change, or send it. */
export function FormActions({ submitLabel, isBusy, onCancel, permission = ALLOWED }: FormActionsProps) {
  return (
    <Group justify="flex-end" gap="xs" className={classes.actions ?? ''}>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Gated permission={permission}>
        <Button type="submit" loading={isBusy}>
          {submitLabel}
        </Button>
      </Gated>
    </Group>
  )
}
