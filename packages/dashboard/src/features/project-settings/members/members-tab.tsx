import type { CustomRole } from '@burgee/contract'
import { Button, Group, Text } from '@mantine/core'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OwnAccessDialog } from '../../../parts/roles/own-access-dialog.tsx'
import { useRoles } from '../../../parts/roles/use-roles.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { useMe } from '../../../shared/scope/use-me.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { useFirstRows } from '../../../shared/ui/use-first-rows.tsx'
import { AddMemberDialog } from './add-member-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import { rolesOnOffer } from './project-roles.ts'

/** The people who may see or change this project, and the meaning of each role. */
export function MembersTab() {
  const { project_id } = useScope()
  const me = useMe()
  const { data, error, refetch } = useQuery(endpointQuery('listMembers', { params: { project_id } }))
  const permission = usePermissions()('addMember')
  const { shown, more } = useFirstRows(data ?? [])
  const roles = useRoles()
  const [isAdding, setAdding] = useState(false)
  const [isAsking, setAsking] = useState(false)
  return (
    <Section
      title="Members"
      description="Workspace admins may do everything here without being members."
      actions={
        <Gated permission={permission}>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
            Add member
          </Button>
        </Gated>
      }
    >
      {error !== null && (
        <Failure error={error} title="The members could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <SkeletonRows rows={4} height={56} />}
      {data?.length === 0 && (
        <EmptyState icon={<IconUsersGroup size={22} />} title="Only workspace admins work here">
          Add the people who work on this project, each with the least role that they need.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <RowList label="Members" columns="9.5rem">
          {shown.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              isMe={member.email.toLowerCase() === me?.email.toLowerCase()}
            />
          ))}
        </RowList>
      )}
      {more}
      <RoleWords roles={roles} />
      <Group>
        <Button size="compact-xs" variant="subtle" ml={-8} onClick={() => setAsking(true)}>
          What may I do here?
        </Button>
      </Group>
      {isAsking && <OwnAccessDialog onClose={() => setAsking(false)} />}
      <AddMemberDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </Section>
  )
}

const RoleWords = ({ roles }: { readonly roles: readonly CustomRole[] }) => (
  <Text size="xs" c="dimmed" component="dl" m={0}>
    {rolesOnOffer(roles).map(({ value, label, description }) => (
      <div key={value}>
        <Text span inherit fw={600} component="dt" style={INLINE}>
          {label}:
        </Text>{' '}
        <dd style={INLINE}>{description}</dd>
      </div>
    ))}
  </Text>
)

const INLINE = { display: 'inline', margin: 0 } as const
