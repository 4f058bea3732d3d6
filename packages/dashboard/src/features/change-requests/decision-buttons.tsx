import type { ChangeRequest } from '@burgee/contract'
import { Button, Group } from '@mantine/core'
import { bothPermissions } from '../../shared/comments/use-comment.tsx'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { Gated } from '../../shared/ui/gated.tsx'
import classes from './change-requests.module.css'
import type { Decision } from './decide.ts'
import type { ReviewPermissions } from './review-permissions.ts'

interface DecisionButtonsProps {
  readonly request: ChangeRequest
  readonly may: ReviewPermissions
  /** Refused while a required comment is missing. */
  readonly commented: Permission
  readonly busyWith: Decision['kind'] | null
  readonly onApprove: () => void
  readonly onReject: () => void
  readonly onBypass: () => void
  readonly onCancel: () => void
}

/** The decisions of a reviewer, the requester's withdrawal, and for workspace admins the bypass. */
export function DecisionButtons({ request, may, commented, busyWith, ...on }: DecisionButtonsProps) {
  const isDeletion = request.operation === 'delete'
  const isStuck = request.preview?.problem !== undefined
  return (
    <Group gap="xs" className={classes.decisions}>
      <Gated permission={bothPermissions(may.approve, commented)}>
        <Button
          {...(isDeletion && { color: 'red' })}
          loading={busyWith === 'approve'}
          disabled={isStuck}
          onClick={on.onApprove}
        >
          {isDeletion ? 'Approve and delete' : 'Approve'}
        </Button>
      </Gated>
      <Gated permission={may.reject}>
        <Button variant="default" onClick={on.onReject}>
          Reject…
        </Button>
      </Gated>
      <div className={classes.aside}>
        {may.bypass.isAllowed && (
          <Button variant="subtle" color="red" disabled={isStuck} onClick={on.onBypass}>
            Apply without approval…
          </Button>
        )}
        <Gated permission={bothPermissions(may.cancel, commented)}>
          <Button variant="subtle" color="gray" loading={busyWith === 'cancel'} onClick={on.onCancel}>
            Withdraw
          </Button>
        </Gated>
      </div>
    </Group>
  )
}
