import type { AccessTokenInput } from '@burgee/contract'
import { Button } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { arrangeTokens, CreateTokenDialog, TokenRow } from '../../../parts/access-tokens/index.ts'
import { serverUrl } from '../../../shared/api/base-path.ts'
import { call, send } from '../../../shared/api/call.ts'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { useFirstRows } from '../../../shared/ui/use-first-rows.tsx'

/** The signed-in person's own tokens. */
export function TokensTab() {
  const { data, error, refetch } = useQuery(endpointQuery('listAccessTokens', {}))
  const { shown, more } = useFirstRows(arrangeTokens(data ?? []))
  const revoke = async (id: number) => {
    await call('revokeAccessToken', { params: { id } })
  }
  const create = async (body: AccessTokenInput) => (await send('createAccessToken', { body })).body
  const [isCreating, setCreating] = useState(false)
  return (
    <Section
      title="Personal access tokens"
      description="For scripts and CI. A token acts as you: each call has the permissions that you have at that time."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
          Create token
        </Button>
      }
    >
      {error !== null && (
        <Failure error={error} title="The tokens could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <SkeletonRows rows={3} height={56} />}
      {data?.length === 0 && (
        <EmptyState icon={<IconKey size={22} />} title="No tokens yet" snippet={snippetFor(serverUrl())}>
          Create one for a script, with no more scope and time than it needs. Then:
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <RowList label="Tokens" columns="8rem 8.5rem 8.5rem">
          {shown.map(({ depth, token }) => (
            <TokenRow key={token.id} depth={depth} token={token} onRevoke={() => revoke(token.id)} />
          ))}
        </RowList>
      )}
      {more}
      <CreateTokenDialog isOpen={isCreating} create={create} onClose={() => setCreating(false)} />
    </Section>
  )
}

const snippetFor = (origin: string) => `curl ${origin}/api/projects \\
  -H "Authorization: Bearer pat_…"`
