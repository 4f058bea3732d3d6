import type { Environment } from '@burgee/contract'
import { Badge, Code, Tooltip } from '@mantine/core'
import { EnvironmentDot } from '../../../shared/ui/environment-dot.tsx'
import { Row } from '../../../shared/ui/row-list.tsx'
import { ApprovalSwitch } from '../approvals/approval-switch.tsx'
import { EnvironmentMenu } from './environment-menu.tsx'

interface EnvironmentRowProps {
  readonly environment: Environment
  readonly isLast: boolean
  readonly onEdit: () => void
  readonly onApproval: () => void
}

export function EnvironmentRow({ environment, isLast, onEdit, onApproval }: EnvironmentRowProps) {
  const { color, is_default, keys_may_manage, keys_may_manage_effective, name, slug } = environment
  return (
    <Row
      icon={<EnvironmentDot color={color} size={14} />}
      title={name}
      badges={
        <>
          {is_default && (
            <Badge size="sm" variant="light" color="gray" tt="none">
              Default
            </Badge>
          )}
          {!keys_may_manage_effective && (
            <Tooltip label={keys_may_manage ? OFF_IN_WORKSPACE : OFF_HERE} multiline maw={280}>
              <Badge size="sm" variant="light" color="teal" tt="none" tabIndex={0}>
                Keys may not manage
              </Badge>
            </Tooltip>
          )}
        </>
      }
      subtitle={<Code>{slug}</Code>}
      actions={<EnvironmentMenu environment={environment} isLast={isLast} onEdit={onEdit} />}
    >
      <ApprovalSwitch environment={environment} onApproval={onApproval} />
    </Row>
  )
}

const OFF_HERE = 'Switched off in the settings of this environment.'
const OFF_IN_WORKSPACE = 'Switched off for the whole workspace.'
