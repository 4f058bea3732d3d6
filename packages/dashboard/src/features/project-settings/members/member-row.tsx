import type { Member } from '@burgee/contract'
import { ActionIcon, Avatar, Badge, Select } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { Gated } from '../../../shared/ui/gated.tsx'
import { Row } from '../../../shared/ui/row-list.tsx'
import classes from './member-row.module.css'
import { PROJECT_ROLES, toProjectRole } from './project-roles.ts'
import { useMemberActions } from './use-member-actions.tsx'

interface MemberRowProps {
  readonly member: Member
  readonly isMe: boolean
}

export function MemberRow({ member, isMe }: MemberRowProps) {
  const may = usePermissions()
  const { confirmRemove, changeRole } = useMemberActions(member, isMe)
  const { email, name, role } = member
  return (
    <Row
      icon={<Avatar size={30} radius="xl" name={name} color="gray" aria-hidden="true" />}
      title={name}
      badges={
        isMe && (
          <Badge size="sm" variant="light" tt="none">
            You
          </Badge>
        )
      }
      subtitle={email}
      actions={
        <Gated permission={may('removeMember')}>
          <ActionIcon
            variant="subtle"
            color="red"
            size={30}
            aria-label={`Remove ${name}`}
            onClick={confirmRemove}
          >
            <IconUserMinus size={17} />
          </ActionIcon>
        </Gated>
      }
    >
      <Gated permission={may('updateMember')}>
        <Select
          size="xs"
          w="8rem"
          classNames={{ input: classes.role ?? '' }}
          aria-label={`Role of ${name}`}
          data={PROJECT_ROLES.map(({ value, label }) => ({ value, label }))}
          value={role}
          onChange={(value) => changeRole(toProjectRole(value))}
          allowDeselect={false}
        />
      </Gated>
    </Row>
  )
}
