import type { AccessTokenInput, ServiceAccount } from '@burgee/contract'
import { Button, Modal, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { arrangeTokens, CreateTokenDialog, TokenRow } from '../../../parts/access-tokens/index.ts'
import { call, send } from '../../../shared/api/call.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { RowList } from '../../../shared/ui/row-list.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'

interface AccountTokensDialogProps {
  readonly account: ServiceAccount
  readonly onClose: () => void
}

/** The tokens of a service account. A new one is shown once. */
export function AccountTokensDialog({ account, onClose }: AccountTokensDialogProps) {
  const { disabled_at, id, name } = account
  const { data, error } = useQuery(endpointQuery('listServiceAccountTokens', { params: { id } }))
  const [isCreating, setCreating] = useState(false)
  const create = async (body: AccessTokenInput) =>
    (await send('createServiceAccountToken', { params: { id }, body })).body
  const revoke = async (token_id: number) => {
    await call('revokeServiceAccountToken', { params: { id, token_id } })
  }
  return (
    <>
      <Modal opened={!isCreating} onClose={onClose} size="xl" title={`Tokens of ${name}`}>
        <Stack>
          <Text size="sm" c="dimmed">
            Those who create the account or a token of it cannot approve what it requests.
          </Text>
          {error !== null && <Failure error={error} />}
          {!data && error === null && <SkeletonRows rows={2} height={48} />}
          {data?.length === 0 && (
            <Text size="sm">{disabled_at === null ? 'No tokens yet.' : 'The account is disabled.'}</Text>
          )}
          {data && data.length > 0 && (
            <RowList label="Tokens" columns="7rem 8rem 7rem">
              {arrangeTokens(data).map(({ depth, token }) => (
                <TokenRow key={token.id} depth={depth} token={token} onRevoke={() => revoke(token.id)} />
              ))}
            </RowList>
          )}
          {disabled_at === null && (
            <Button w="fit-content" leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
              Create token
            </Button>
          )}
        </Stack>
      </Modal>
      <CreateTokenDialog isOpen={isCreating} create={create} onClose={() => setCreating(false)} />
    </>
  )
}
