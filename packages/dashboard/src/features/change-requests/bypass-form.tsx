import { BYPASS_REASON_MAX_LENGTH, type ChangeRequest } from '@burgee/contract'
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { approvalProgress, describeProgress } from './approval-progress.ts'
import { ReasonForm } from './reason-form.tsx'

interface BypassFormProps {
  readonly request: ChangeRequest
  readonly isBusy: boolean
  readonly failure: unknown
  readonly onBypass: (reason: string) => void
  readonly onBack: () => void
}

const ALLOWED: Permission = { isAllowed: true }

/** Applies a change without the approval of others, for a reason that is recorded. */
export function BypassForm({ request, isBusy, failure, onBypass, onBack }: BypassFormProps) {
  const { environment } = useScope()
  const outcome = request.operation === 'delete' ? 'is deleted' : 'changes'
  return (
    <ReasonForm
      isRequired
      maxLength={BYPASS_REASON_MAX_LENGTH}
      description="Recorded in the request, the audit log and events. It cannot be removed."
      submitLabel="Apply without approval"
      failureTitle="The change was not applied"
      permission={ALLOWED}
      isBusy={isBusy}
      failure={failure}
      onSubmit={(reason) => reason !== null && onBypass(reason)}
      onBack={onBack}
      intro={
        <Alert
          variant="light"
          color="red"
          icon={<IconAlertTriangle size={18} />}
          title={`Apply with ${describeProgress(approvalProgress(request, environment))}?`}
        >
          <Text size="sm">
            <b>{request.flag_key}</b> {outcome} in {environment?.name} without the approval of others.
            Everyone who sees the request sees that you did this, and why.
          </Text>
        </Alert>
      }
    />
  )
}
