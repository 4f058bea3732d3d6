import type { Environment } from '@burgee/contract'
import { Button, Stack, Switch, Text } from '@mantine/core'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { useMe } from '../../../shared/scope/use-me.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Gated } from '../../../shared/ui/gated.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { assessOpening } from '../environments/assess-environment.ts'
import { describeSetting } from './approval-labels.ts'

interface ApprovalSwitchProps {
  readonly environment: Environment
  /** Opens the choice of changes that wait for approval. */
  readonly onApproval: () => void
}

/** Turning it on opens the choice of changes that wait for approval. Turning it off needs a confirmation. */
export function ApprovalSwitch({ environment, onApproval }: ApprovalSwitchProps) {
  const { project_id } = useScope()
  const isWorkspaceAdmin = useMe()?.role === 'admin'
  const may = usePermissions(undefined, environment.id)
  const permission = assessOpening(may('requireApproval'), { environment, isWorkspaceAdmin })
  const { id, name, require_approval } = environment
  const confirmSwitchOff = () =>
    confirm({
      title: 'Let changes happen without approval?',
      children: (
        <>
          Everyone who may edit flags can then change them in <b>{name}</b> without a second person. Change
          requests that wait can still be approved or rejected.
        </>
      ),
      confirmLabel: 'Switch approval off',
      onConfirm: async () => {
        const params = { project_id, env_id: id }
        await call('requireApproval', { params, body: { require_approval: false } })
        notifySuccess({ message: 'Changes no longer need approval.' })
      },
    })
  return (
    <Stack gap={2} align="flex-start">
      <Gated permission={permission}>
        <Switch
          size="sm"
          label="Require approval"
          aria-label={`Require approval in ${name}`}
          checked={require_approval}
          onChange={() => (require_approval ? confirmSwitchOff() : onApproval())}
        />
      </Gated>
      {require_approval && (
        <ScopeOf environment={environment} onChange={permission.isAllowed ? onApproval : null} />
      )}
    </Stack>
  )
}

interface ScopeOfProps {
  readonly environment: Environment
  /** Null where it may not be changed. */
  readonly onChange: (() => void) | null
}

function ScopeOf({ environment, onChange }: ScopeOfProps) {
  const title = describeSetting(environment)
  if (!onChange) {
    return (
      <Text size="xs" c="dimmed" ml={42}>
        {title}
      </Text>
    )
  }
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      ml={34}
      onClick={onChange}
      aria-label={`What waits for approval in ${environment.name}: ${title}`}
    >
      {title}
    </Button>
  )
}
