import type { ChangeRequest } from '@burgee/contract'
import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { bothPermissions, useComment } from '../../shared/comments/use-comment.tsx'
import { isProduction } from '../../shared/scope/is-production.ts'
import { useMe } from '../../shared/scope/use-me.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { confirm } from '../../shared/ui/confirm.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'
import classes from './change-requests.module.css'
import { RejectForm } from './reject-form.tsx'
import { reviewPermissions } from './review-permissions.ts'
import { useReview } from './use-review.ts'

/** Approve, reject with a reason, or withdraw. */
export function ReviewActions({ request }: { readonly request: ChangeRequest }) {
  const { environment } = useScope()
  const may = reviewPermissions(request, { me: useMe(), byRole: usePermissions()('approveChangeRequest') })
  const { run, perform, failure, busyWith } = useReview(request)
  const { comment, field, permission: commented } = useComment(environment)
  const [isRejecting, setRejecting] = useState(false)
  const is_deleting = request.operation === 'delete'
  const isStuck = request.preview?.problem !== undefined
  const confirmDelete = () =>
    confirm({
      title: `Delete ${request.flag_key}`,
      children: `Approving deletes the flag from ${environment?.name} at once. This cannot be undone.`,
      confirmLabel: 'Approve and delete',
      ...(isProduction(environment) && { typed: request.flag_key }),
      onConfirm: () => perform({ kind: 'approve', comment }),
    })
  if (isRejecting) {
    return (
      <RejectForm
        comment={field}
        permission={commented}
        isBusy={busyWith === 'reject'}
        failure={failure}
        onReject={(reason) => void run({ kind: 'reject', reason, comment })}
        onBack={() => setRejecting(false)}
      />
    )
  }
  return (
    <Stack gap="sm">
      {Object.values(may).some(({ isAllowed }) => isAllowed) && field}
      {failure !== null && <Failure error={failure} title="The decision was not saved" />}
      <Group gap="xs" className={classes.decisions}>
        <Gated permission={bothPermissions(may.approve, commented)}>
          <Button
            {...(is_deleting && { color: 'red' })}
            loading={busyWith === 'approve'}
            disabled={isStuck}
            onClick={() => (is_deleting ? confirmDelete() : void run({ kind: 'approve', comment }))}
          >
            {is_deleting ? 'Approve and delete' : 'Approve'}
          </Button>
        </Gated>
        <Gated permission={may.reject}>
          <Button variant="default" onClick={() => setRejecting(true)}>
            Reject…
          </Button>
        </Gated>
        <div className={classes.withdraw}>
          <Gated permission={bothPermissions(may.cancel, commented)}>
            <Button
              variant="subtle"
              color="gray"
              loading={busyWith === 'cancel'}
              onClick={() => void run({ kind: 'cancel', comment })}
            >
              Withdraw
            </Button>
          </Gated>
        </div>
      </Group>
    </Stack>
  )
}
