import type { User } from '@burgee/contract'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { useMe } from '../../../shared/scope/use-me.ts'
import { useUrlState } from '../../../shared/scope/use-url-state.ts'
import { countOf } from '../../../shared/ui/count-of.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { useFirstRows } from '../../../shared/ui/use-first-rows.tsx'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { filterUsers } from './filter-users.ts'
import { InviteUserDialog } from './invite-user-dialog.tsx'
import { UserActDialog } from './user-act-dialog.tsx'
import type { UserAct } from './user-menu.tsx'
import { UserRow } from './user-row.tsx'

/** Below it everyone is in sight. */
const SEARCH_FROM = 8

export function UsersTab() {
  const me = useMe()
  const { data, error, refetch } = useQuery(endpointQuery('listUsers', {}))
  const [{ q }, setAddress] = useUrlState({ q: '' })
  const [isInviting, setInviting] = useState(false)
  const [acting, setActing] = useState<{ act: UserAct; user: User } | null>(null)
  const [isCreating, setCreating] = useState(false)
  const [editedId, setEdited] = useState<number | null>(null)
  const found = filterUsers(data ?? [], useDeferredValue(q))
  const { shown, more } = useFirstRows(found)
  const isMe = ({ email }: User) => email.toLowerCase() === me?.email.toLowerCase()
  const edited = data?.find(({ id }) => id === editedId)
  return (
    <Section
      title="Users"
      description="Everyone with an account. What they may do in a project is set there, under Members."
      actions={
        <Group gap="xs">
          <Button variant="default" onClick={() => setCreating(true)}>
            Create user
          </Button>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setInviting(true)}>
            Invite user
          </Button>
        </Group>
      }
    >
      {error !== null && (
        <Failure error={error} title="The users could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <SkeletonRows rows={5} height={56} />}
      {data && (data.length >= SEARCH_FROM || q !== '') && (
        <TextInput
          type="search"
          aria-label="Search users"
          placeholder="Search by name or e-mail"
          leftSection={<IconSearch size={15} />}
          value={q}
          onChange={(event) => setAddress({ q: event.currentTarget.value })}
        />
      )}
      {data && (
        <Text size="xs" c="dimmed" role="status">
          {found.length === data.length
            ? countOf(data.length, 'user')
            : `${found.length} of ${countOf(data.length, 'user')}`}
        </Text>
      )}
      {data && shown.length > 0 && (
        <RowList label="Users" columns="5.5rem 10.5rem">
          {shown.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              users={data}
              isMe={isMe(user)}
              onEdit={() => setEdited(user.id)}
              onAct={(act) => setActing({ act, user })}
            />
          ))}
        </RowList>
      )}
      {more}
      <InviteUserDialog isOpen={isInviting} onClose={() => setInviting(false)} />
      {acting && <UserActDialog {...acting} onClose={() => setActing(null)} />}
      <CreateUserDialog isOpen={isCreating} onClose={() => setCreating(false)} />
      {edited && data && (
        <EditUserDialog user={edited} users={data} isMe={isMe(edited)} onClose={() => setEdited(null)} />
      )}
    </Section>
  )
}
