import type { Environment } from '@burgee/contract'
import { Modal, Radio, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { FormActions } from '../../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { APPROVAL_LABELS, type ApprovalScope } from './approval-labels.ts'

interface ApprovalDialogProps {
  readonly environment: Environment
  readonly onClose: () => void
}

/**
 * The choice of changes that wait for a second person's approval. Every change is the proposed choice: it
 * leaves no side door.
 */
export function ApprovalDialog({ environment, onClose }: ApprovalDialogProps) {
  const { project_id } = useScope()
  const client = useQueryClient()
  const { approval_scope, id, keys_may_manage_effective, name, require_approval } = environment
  const isGuarded = require_approval && approval_scope === 'all'
  const [scope, setScope] = useState<ApprovalScope>(require_approval ? approval_scope : 'all')
  const { failure, formProps, isBusy } = useSubmit([], async () => {
    const body = { require_approval: true, approval_scope: scope }
    await call('requireApproval', { params: { project_id, env_id: id }, body })
    await refresh(client, 'listEnvironments')
    notifySuccess({
      message: scope === 'all' ? 'Every change now needs approval.' : 'Edits now need approval.',
    })
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={`Require approval in ${name}`}>
      <form {...formProps}>
        <Stack>
          {failure !== null && <Failure error={failure} />}
          <Text size="sm">
            A change becomes a change request that someone else, an editor or admin, has to approve. Creating
            a flag needs none.
          </Text>
          <Radio.Group
            label="What waits for approval"
            value={scope}
            onChange={(value) => setScope(value === 'patch' ? 'patch' : 'all')}
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
          {scope === 'all' && !isGuarded && keys_may_manage_effective && (
            <Text size="sm" c="dimmed">
              SDK keys may then no longer create and revoke keys, or change webhooks, Slack & Teams alerts and
              settings of this environment. Admins can allow it again.
            </Text>
          )}
          <FormActions submitLabel="Require approval" isBusy={isBusy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
