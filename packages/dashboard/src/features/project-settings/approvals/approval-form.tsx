import { type Environment, MIN_APPROVALS_MAX } from '@burgee/contract'
import { Input, Radio, SegmentedControl, Stack, Text } from '@mantine/core'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { needsApproval } from '../../../shared/scope/needs-approval.ts'
import { APPROVAL_LABELS } from './approval-labels.ts'
import { ApproversField } from './approvers-field.tsx'
import { PlannedNotice } from './planned-notice.tsx'
import { ScopeEffects } from './scope-effects.tsx'
import { useApprovalForm } from './use-approval-form.ts'

interface ApprovalFormProps {
  readonly environment: Environment
  readonly onDone: () => void
}

const NUMBERS = Array.from({ length: MIN_APPROVALS_MAX }, (_, index) => String(index + 1))

export function ApprovalForm({ environment, onDone }: ApprovalFormProps) {
  const form = useApprovalForm(environment, onDone)
  const { approvers, min_approvals, scope, submission } = form
  const { id: environment_id, keys_may_manage_effective, require_approval } = environment
  const becomesGuarded = scope === 'all' && !needsApproval(environment)
  return (
    <DialogForm
      submission={submission}
      submitLabel={require_approval ? 'Save' : 'Require approval'}
      onCancel={onDone}
    >
      <Text size="sm">
        A change becomes a change request, which other people approve before it takes effect.
      </Text>
      <Radio.Group
        label="What waits for approval"
        value={scope}
        onChange={(value) => form.setScope(value === 'patch' ? 'patch' : 'all')}
      >
        <Stack gap="sm" mt={8}>
          <Radio
            value="all"
            label="Every change to an existing flag"
            description={APPROVAL_LABELS.all.description}
          />
          <Radio value="patch" label="Edits only" description={APPROVAL_LABELS.patch.description} />
        </Stack>
      </Radio.Group>
      <ScopeEffects scope={scope} />
      <Input.Wrapper
        label="Approvals needed"
        description="The requester never counts. A change of the flag meanwhile voids earlier approvals."
        labelElement="div"
        error={submission.errors.min_approvals}
      >
        <SegmentedControl
          mt={6}
          aria-label="Approvals needed"
          data={NUMBERS}
          value={String(min_approvals)}
          onChange={(value) => form.setMinApprovals(Number(value))}
        />
      </Input.Wrapper>
      <ApproversField
        settings={{ approvers, environment_id, min_approvals }}
        onChange={form.setApprovers}
        error={submission.errors.approvers}
      />
      <PlannedNotice
        environment_id={environment_id}
        scope={scope}
        isRequested={form.isRequested}
        onChange={form.setRequested}
      />
      {becomesGuarded && keys_may_manage_effective && (
        <Text size="sm" c="dimmed">
          SDK keys may then no longer create and revoke keys, or change webhooks, Slack & Teams alerts and
          settings of this environment. Admins can allow it again.
        </Text>
      )}
    </DialogForm>
  )
}
