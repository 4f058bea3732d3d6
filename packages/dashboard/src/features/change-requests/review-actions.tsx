import type { ChangeRequest } from '@burgee/contract'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useOverride } from '../../parts/impact/index.tsx'
import { useComment } from '../../shared/comments/use-comment.tsx'
import { confirm } from '../../shared/forms/confirm.tsx'
import { isProduction } from '../../shared/scope/is-production.ts'
import { useMe } from '../../shared/scope/use-me.ts'
import { usePermissions } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { BypassForm } from './bypass-form.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { ReasonForm } from './reason-form.tsx'
import { reviewPermissions } from './review-permissions.ts'
import { useApproverPermission } from './use-approver.ts'
import { useReview } from './use-review.ts'

/** Approve, reject with a reason, withdraw, or apply without the approval of others. */
export function ReviewActions({ request }: { readonly request: ChangeRequest }) {
  const { environment } = useScope()
  const byRole = usePermissions()('approveChangeRequest')
  const isApprover = useApproverPermission()
  const may = reviewPermissions(request, { me: useMe(), byRole, isApprover })
  const { run, perform, failure, busyWith } = useReview(request)
  const { comment, field, permission: commented } = useComment(environment)
  // Whether invariants decide with this approval, or with a later one, is the server's response.
  const override = useOverride({
    ...{ environment_id: request.environment_id, changes: [{ change_request_id: request.id }], failure },
    isLater: request.operation === 'unschedule' || request.preview?.problem !== undefined,
  })
  const explained = { comment, overrideReason: override.overrideReason }
  const [isAsking, setAsking] = useState<'reject' | 'bypass' | null>(null)
  const confirmDelete = () =>
    confirm({
      title: `Delete ${request.flag_key}`,
      children: `Approving deletes the flag from ${environment?.name} at once. This cannot be undone.`,
      confirmLabel: 'Approve and delete',
      ...(isProduction(environment) && { typed: request.flag_key }),
      onConfirm: () => perform({ kind: 'approve', ...explained }),
    })
  const form = { failure, onBack: () => setAsking(null) }
  if (isAsking === 'bypass') {
    return (
      <BypassForm
        {...form}
        request={request}
        isBusy={busyWith === 'bypass'}
        onBypass={(reason) => void run({ kind: 'bypass', reason, ...explained, comment: comment ?? reason })}
      />
    )
  }
  if (isAsking === 'reject') {
    return (
      <ReasonForm
        {...form}
        description="The requester sees it here, and Slack & Teams alerts contain it. You may leave it empty."
        submitLabel="Reject request"
        failureTitle="The request was not rejected"
        permission={commented}
        isBusy={busyWith === 'reject'}
        onSubmit={(reason) => void run({ kind: 'reject', reason, comment })}
      >
        {field}
      </ReasonForm>
    )
  }
  const approve = () => void run({ kind: 'approve', ...explained })
  return (
    <Stack gap="sm">
      {Object.values(may).some(({ isAllowed }) => isAllowed) && field}
      {failure !== null && <Failure error={failure} title="The decision was not saved" />}
      {override.field}
      <DecisionButtons
        request={request}
        may={may}
        commented={commented}
        busyWith={busyWith}
        onApprove={request.operation === 'delete' ? confirmDelete : approve}
        onReject={() => setAsking('reject')}
        onBypass={() => setAsking('bypass')}
        onCancel={() => void run({ kind: 'cancel', comment })}
      />
    </Stack>
  )
}
