import { Button, Group } from '@mantine/core'
import type { Permission } from '../scope/use-permissions.ts'
import { Gated } from '../ui/gated.tsx'
import classes from './actions.module.css'

interface ChangeActionsProps {
  /** The verb and the thing, where no approval is needed: "Restore revision 7". */
  readonly label: string
  /** The button requests the approval of others instead. */
  readonly isAsking: boolean
  readonly isBusy: boolean
  readonly isReady: boolean
  /** The change reaches users in production at once. */
  readonly isDangerous?: boolean
  /** Refused, with the reason, while the change cannot be made. */
  readonly permission: Permission
  readonly onClose: () => void
  /** Without it, the button submits its form. */
  readonly onClick?: () => void
}

/** The foot of a dialog that shows a change: back without it, or make it. */
export function ChangeActions(props: ChangeActionsProps) {
  const { label, isAsking, isBusy, isReady, isDangerous = false, permission, onClose, onClick } = props
  return (
    <Group justify="flex-end" gap="xs" className={classes.actions ?? ''}>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
      <Gated permission={permission}>
        <Button
          {...(onClick ? { onClick } : { type: 'submit' })}
          {...(isDangerous && { color: 'red' })}
          loading={isBusy}
          disabled={!isReady}
        >
          {isAsking ? 'Request approval' : label}
        </Button>
      </Gated>
    </Group>
  )
}
