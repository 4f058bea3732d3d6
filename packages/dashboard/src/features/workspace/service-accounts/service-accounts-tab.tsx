import type { ServiceAccount } from '@burgee/contract'
import { Button } from '@mantine/core'
import { IconPlus, IconRobot } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { RowList } from '../../../shared/ui/row-list.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { SkeletonRows } from '../../../shared/ui/skeleton-rows.tsx'
import { useFirstRows } from '../../../shared/ui/use-first-rows.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { AccountRow } from './account-row.tsx'
import { AccountTokensDialog } from './account-tokens-dialog.tsx'
import { DisableAccountDialog } from './disable-account-dialog.tsx'

type Opened =
  | { readonly kind: 'create' }
  | { readonly kind: 'disable' | 'rename' | 'tokens'; readonly account: ServiceAccount }

/** The accounts of programs: for workspace admins. */
export function ServiceAccountsTab() {
  const { data, error, refetch } = useQuery(endpointQuery('listServiceAccounts', {}))
  const { shown, more } = useFirstRows(data ?? [])
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  return (
    <Section
      title="Service accounts"
      description="Accounts of programs, which cannot sign in. Their tokens belong to the workspace. What they may do in a project is set there, under Members."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened({ kind: 'create' })}>
          Create service account
        </Button>
      }
    >
      {error !== null && (
        <Failure
          error={error}
          title="The service accounts could not be loaded"
          onRetry={() => void refetch()}
        />
      )}
      {!data && error === null && <SkeletonRows rows={3} height={56} />}
      {data?.length === 0 && (
        <EmptyState icon={<IconRobot size={22} />} title="No service accounts yet">
          Create one for a pipeline or a bot, instead of a token of a person who may leave.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <RowList label="Service accounts" columns="14rem">
          {shown.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              onDisable={() => setOpened({ kind: 'disable', account })}
              onRename={() => setOpened({ kind: 'rename', account })}
              onTokens={() => setOpened({ kind: 'tokens', account })}
            />
          ))}
        </RowList>
      )}
      {more}
      {opened?.kind === 'create' && (
        <AccountDialog
          account={null}
          onClose={close}
          onCreated={(account) => setOpened({ kind: 'tokens', account })}
        />
      )}
      {opened?.kind === 'rename' && <AccountDialog account={opened.account} onClose={close} />}
      {opened?.kind === 'disable' && <DisableAccountDialog account={opened.account} onClose={close} />}
      {opened?.kind === 'tokens' && <AccountTokensDialog account={opened.account} onClose={close} />}
    </Section>
  )
}
