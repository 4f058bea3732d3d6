import type { Member } from '@burgee/contract'
import { ActionIcon, Avatar, Badge, Select } from '@mantine/core'
import { IconStack2, IconUserMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { roleName, useRoles } from '../../../parts/roles/use-roles.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Gated } from '../../../shared/ui/gated.tsx'
import { Row } from '../../../shared/ui/row-list.tsx'
import { describeEnvironmentRoles } from './environment-roles.ts'
import { EnvironmentRolesDialog } from './environment-roles-dialog.tsx'
import classes from './member-row.module.css'
import { roleOptions } from './project-roles.ts'
import { useMemberActions } from './use-member-actions.tsx'

interface MemberRowProps {
  readonly member: Member
  readonly isMe: boolean
}

export function MemberRow({ member, isMe }: MemberRowProps) {
  const roles = useRoles()
  const may = usePermissions()
  const { changeRole } = useMemberActions(member, isMe)
  const { email, name, role } = member
  return (
    <Row
      icon={<Avatar size={30} radius="xl" name={name} color="gray" aria-hidden="true" />}
      title={name}
      badges={<MemberBadges member={member} isMe={isMe} />}
      subtitle={email}
      actions={<MemberActions member={member} isMe={isMe} />}
    >
      <Gated permission={may('updateMember')}>
        <Select
          size="xs"
          w="9rem"
          classNames={{ input: classes.role ?? '' }}
          aria-label={`Role of ${name}`}
          data={roleOptions(roles, role)}
          value={role}
          onChange={(value) => value !== null && changeRole(value)}
          allowDeselect={false}
        />
      </Gated>
    </Row>
  )
}

function MemberBadges({ member, isMe }: MemberRowProps) {
  const roles = useRoles()
  const { environments } = useScope()
  const nameOf = (role: string) => roleName(roles, role)
  const exceptions = describeEnvironmentRoles(member.environment_roles ?? [], { environments, nameOf })
  return (
    <>
      {member.kind === 'service_account' && (
        <Badge size="sm" variant="light" color="gray" tt="none">
          Service account
        </Badge>
      )}
      {isMe && (
        <Badge size="sm" variant="light" tt="none">
          You
        </Badge>
      )}
      {exceptions.map((text) => (
        <Badge key={text} size="sm" variant="light" color="gray" tt="none">
          {text}
        </Badge>
      ))}
    </>
  )
}

function MemberActions({ member, isMe }: MemberRowProps) {
  const may = usePermissions()
  const { confirmRemove, losesAccess } = useMemberActions(member, isMe)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <Gated permission={may('updateMember')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          title="Roles in environments"
          aria-label={`Roles of ${member.name} in environments`}
          onClick={() => setChoosing(true)}
        >
          <IconStack2 size={17} />
        </ActionIcon>
      </Gated>
      <Gated permission={may('removeMember')}>
        <ActionIcon
          variant="subtle"
          color="red"
          size={30}
          aria-label={`Remove ${member.name}`}
          onClick={confirmRemove}
        >
          <IconUserMinus size={17} />
        </ActionIcon>
      </Gated>
      {isChoosing && (
        <EnvironmentRolesDialog
          member={member}
          losesAccess={losesAccess}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}
