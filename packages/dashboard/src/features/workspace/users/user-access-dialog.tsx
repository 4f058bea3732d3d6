import type { User } from '@burgee/contract'
import { Button, Modal, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { arrangeTokens, TokenRow } from '../../../parts/access-tokens/index.ts'
import { SessionRows } from '../../../parts/sessions/index.ts'
import { call } from '../../../shared/api/call.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { notifyFailure, notifySuccess } from '../../../shared/ui/notify.tsx'
import { RowList } from '../../../shared/ui/row-list.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'

interface UserAccessDialogProps {
  readonly user: User
  readonly onClose: () => void
}

/** A person's sessions and tokens, for workspace admins. */
export function UserAccessDialog({ user, onClose }: UserAccessDialogProps) {
  return (
    <Modal opened onClose={onClose} size="xl" title={`Access of ${user.name}`}>
      <Stack gap="xl">
        <UserSessions user={user} />
        <UserTokens user={user} />
      </Stack>
    </Modal>
  )
}

function UserSessions({ user: { id, name } }: { readonly user: User }) {
  const { data, error } = useQuery(endpointQuery('listUserSessions', { params: { id } }))
  const endAll = async () => {
    try {
      await call('endUserSessions', { params: { id } })
      notifySuccess({ message: `${name} is signed out everywhere.` })
    } catch (failure) {
      notifyFailure('The sessions go on', failure)
    }
  }
  return (
    <Part title="Sessions" error={error} isLoaded={data !== undefined}>
      {data?.length === 0 && <Nothing>Not signed in anywhere.</Nothing>}
      {data && data.length > 0 && (
        <SessionRows
          sessions={data}
          onEnd={async (session) => {
            await call('endUserSession', { params: { id, session_id: session.id } })
          }}
        />
      )}
      {data?.some(({ is_current }) => !is_current) && (
        <Button variant="default" size="xs" w="fit-content" onClick={() => void endAll()}>
          End all sessions
        </Button>
      )}
    </Part>
  )
}

function UserTokens({ user: { id } }: { readonly user: User }) {
  const { data, error } = useQuery(endpointQuery('listUserTokens', { params: { id } }))
  const revoke = async (token_id: number) => {
    await call('revokeUserToken', { params: { id, token_id } })
  }
  return (
    <Part title="Personal access tokens" error={error} isLoaded={data !== undefined}>
      {data?.length === 0 && <Nothing>No tokens.</Nothing>}
      {data && data.length > 0 && (
        <RowList label="Tokens" columns="7rem 8rem 7rem">
          {arrangeTokens(data).map(({ depth, token }) => (
            <TokenRow key={token.id} depth={depth} token={token} onRevoke={() => revoke(token.id)} />
          ))}
        </RowList>
      )}
    </Part>
  )
}

interface PartProps {
  readonly title: string
  readonly error: unknown
  readonly isLoaded: boolean
  readonly children: ReactNode
}

function Part({ title, error, isLoaded, children }: PartProps) {
  return (
    <Stack gap="sm" component="section">
      <Title order={3} size="h5">
        {title}
      </Title>
      {error !== null && <Failure error={error} />}
      {!isLoaded && error === null && <SkeletonRows rows={2} height={48} />}
      {children}
    </Stack>
  )
}

const Nothing = ({ children }: { readonly children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)
