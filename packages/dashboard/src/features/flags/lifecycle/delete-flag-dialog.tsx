import type { Environment, Flag } from '@burgee/contract'
import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { isProduction } from '../../../shared/scope/is-production.ts'
import { needsApproval } from '../../../shared/scope/needs-approval.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { ApprovalNote } from '../../../shared/ui/approval-note.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { TypedKey } from '../../../shared/ui/typed-key.tsx'
import { DependentsList } from './dependents-list.tsx'
import { useDeleteFlag } from './use-delete-flag.ts'
import { useDependents } from './use-dependents.ts'

interface DeleteFlagDialogProps {
  readonly flag: Flag
  readonly environment: Environment
  readonly is_open: boolean
  readonly onClose: () => void
}

/** Shows what depends on a flag before it is deleted; in Production its key has to be typed. */
export function DeleteFlagDialog({ flag, is_open, onClose, environment }: DeleteFlagDialogProps) {
  return (
    <Modal opened={is_open} onClose={onClose} title={`Delete ${flag.key}`} size="lg">
      {is_open && <DeleteForm flag={flag} environment={environment} onClose={onClose} />}
    </Modal>
  )
}

function DeleteForm({ flag, environment, onClose }: Omit<DeleteFlagDialogProps, 'is_open'>) {
  const { project_id } = useScope()
  const { dependents, error } = useDependents(environment.id, flag.key)
  const deleteFlag = useDeleteFlag(flag, { project_id, environment, onDone: onClose })
  const { form_props, failure, is_busy } = useSubmit([], deleteFlag)
  const [typed, setTyped] = useState('')
  const is_asking = needsApproval(environment)
  const has_to_type = isProduction(environment)
  return (
    <form {...form_props}>
      <Stack gap="md">
        <Text size="sm">
          {is_asking ? 'Once it is approved, it' : 'It'} is gone from every SDK in {environment.name} at once,
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
            <Failure error={error} title="What depends on it could not be found out" />
          ) : (
            <Skeleton height={22} />
          )}
        </Stack>
        {is_asking && <ApprovalNote environment_name={environment.name} />}
        {has_to_type && <TypedKey expected={flag.key} value={typed} onChange={setTyped} />}
        {failure !== null && <Failure error={failure} title="The flag was not deleted" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button
            type="submit"
            color="red"
            loading={is_busy}
            disabled={(!dependents && !error) || (has_to_type && typed !== flag.key)}
          >
            {is_asking ? 'Ask for approval' : 'Delete flag'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
