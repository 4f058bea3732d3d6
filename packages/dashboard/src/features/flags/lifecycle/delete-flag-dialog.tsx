import type { Environment, Flag } from '@burgee/contract'
import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ImpactPanel, useOverride } from '../../../parts/impact/index.tsx'
import { bothPermissions, useComment } from '../../../shared/comments/use-comment.tsx'
import actions from '../../../shared/forms/actions.module.css'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { isProduction } from '../../../shared/scope/is-production.ts'
import { needsApproval } from '../../../shared/scope/needs-approval.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { ApprovalNote } from '../../../shared/ui/approval-note.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { TypedKey } from '../../../shared/ui/typed-key.tsx'
import { DependentsList } from './dependents-list.tsx'
import { useDeleteFlag } from './use-delete-flag.ts'
import { useDependents } from './use-dependents.ts'

interface DeleteFlagDialogProps {
  readonly flag: Flag
  readonly environment: Environment
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Shows what depends on a flag before it is deleted; in Production its key has to be typed. */
export function DeleteFlagDialog({ flag, isOpen, onClose, environment }: DeleteFlagDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Delete ${flag.key}`} size="lg">
      {isOpen && <DeleteForm flag={flag} environment={environment} onClose={onClose} />}
    </Modal>
  )
}

function DeleteForm({ flag, environment, onClose }: Omit<DeleteFlagDialogProps, 'isOpen'>) {
  const { project_id } = useScope()
  const { dependents, error } = useDependents(environment.id, flag.key)
  const deleteFlag = useDeleteFlag(flag, { project_id, environment, onDone: onClose })
  const { comment, field, permission } = useComment(environment)
  const { formProps, failure, isBusy } = useSubmit([], () =>
    deleteFlag({ comment, overrideReason: override.overrideReason }),
  )
  const [typed, setTyped] = useState('')
  const isAsking = needsApproval(environment)
  const hasToType = isProduction(environment)
  const changes = [{ flag_key: flag.key, operation: 'delete' as const }]
  const override = useOverride({ environment_id: environment.id, changes, failure, isLater: isAsking })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <Text size="sm">
          {isAsking ? 'Once it is approved, it' : 'It'} is gone from every SDK in {environment.name} at once,
          and code gets its own fallback value. This cannot be undone. To be able to bring it back, archive it
          instead.
        </Text>
        <Stack gap={6} mih={64} aria-live="polite">
          <Text size="sm" fw={600}>
            What depends on it
          </Text>
          {dependents ? (
            <DependentsList dependents={dependents} scope={{ project_id, environment_id: environment.id }} />
          ) : error ? (
            <Failure error={error} title="Its dependents could not be loaded" />
          ) : (
            <Skeleton height={22} />
          )}
        </Stack>
        <ImpactPanel
          project_id={project_id}
          environment_id={environment.id}
          changes={changes}
          names={flag.variant_names}
        />
        {isAsking && <ApprovalNote environment_name={environment.name} />}
        {hasToType && <TypedKey expected={flag.key} value={typed} onChange={setTyped} />}
        {field}
        {failure !== null && <Failure error={failure} title="The flag was not deleted" />}
        {override.field}
        <Group justify="flex-end" gap="xs" className={actions.actions ?? ''}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Gated permission={bothPermissions(override.permission, permission)}>
            <Button
              type="submit"
              color="red"
              loading={isBusy}
              disabled={(!dependents && !error) || (hasToType && typed !== flag.key)}
            >
              {isAsking ? 'Request approval' : 'Delete flag'}
            </Button>
          </Gated>
        </Group>
      </Stack>
    </form>
  )
}
