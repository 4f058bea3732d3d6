import type { ScimSettings } from '@burgee/contract'
import { Anchor, Button, Group, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { endpointQuery, refresh } from '../../../shared/api/queries.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { formatRelative } from '../../../shared/ui/format-time.ts'
import { notifyFailure, notifySuccess } from '../../../shared/ui/notify.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { Fact } from './fact.tsx'
import { ScimTokenDialog } from './scim-token-dialog.tsx'

const DOCS = 'https://github.com/burgee/burgee/blob/main/docs/scim.md'

/** SCIM: the identity provider creates, changes and disables accounts, and sends groups. */
export function ScimSection() {
  const { data, error, refetch } = useQuery(endpointQuery('getScimSettings', {}))
  const [isCreating, setCreating] = useState(false)
  const isOn = typeof data?.token_prefix === 'string'
  return (
    <Section
      title="Provisioning (SCIM)"
      description={
        <>
          The identity provider creates, changes and disables accounts, and sends the groups of the table
          above.{' '}
          <Anchor href={DOCS} target="_blank" rel="noreferrer" size="sm">
            How to set it up
          </Anchor>
        </>
      }
      isBoxed={isOn}
    >
      {error !== null && (
        <Failure error={error} title="The settings could not be loaded" onRetry={() => void refetch()} />
      )}
      {!data && error === null && <Skeleton height={120} />}
      {data && isOn && <ScimState settings={data} onReplace={() => setCreating(true)} />}
      {data && !isOn && (
        <EmptyState
          icon={<IconUsers size={22} />}
          title="Provisioning is off"
          action={
            <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
              Create token
            </Button>
          }
        >
          With a token, the identity provider keeps accounts and groups up to date. Who leaves the company is
          signed out at once.
        </EmptyState>
      )}
      <ScimTokenDialog isOpen={isCreating} replaces={isOn} onClose={() => setCreating(false)} />
    </Section>
  )
}

interface ScimStateProps {
  readonly settings: ScimSettings
  readonly onReplace: () => void
}

function ScimState({ settings, onReplace }: ScimStateProps) {
  const { disabled_users, groups, last_request_at, token_created_at, token_created_by, token_prefix, users } =
    settings
  const client = useQueryClient()
  const remove = () =>
    confirm({
      title: 'Remove the token',
      children: 'The identity provider is refused at once. Accounts, groups and roles stay as they are.',
      confirmLabel: 'Remove token',
      onConfirm: async () => {
        await call('deleteScimToken', {})
        await refresh(client, 'getScimSettings')
        notifySuccess({ message: 'Provisioning is off.' })
      },
    })
  return (
    <Stack gap="sm">
      <Fact name="Tenant URL" value={settings.url ?? `${location.origin}/scim/v2`} />
      <div>
        <Text size="xs" c="dimmed">
          Token
        </Text>
        <Text size="sm" component="div">
          {token_prefix} by {token_created_by},{' '}
          {token_created_at && <Time at={token_created_at} inherit span />}
        </Text>
      </div>
      <div>
        <Text size="xs" c="dimmed">
          State
        </Text>
        <Text size="sm">
          {users === 1 ? '1 account' : `${users} accounts`}
          {disabled_users > 0 && ` (${disabled_users} disabled)`},{' '}
          {groups === 1 ? '1 group' : `${groups} groups`}.{' '}
          {last_request_at === null
            ? 'The identity provider has not called yet.'
            : `Last request ${formatRelative(last_request_at, Date.now())}.`}
        </Text>
      </div>
      <AdoptionSwitch isOn={settings.adopts_accounts} />
      <Group gap="xs">
        <Button variant="default" onClick={onReplace}>
          Replace token
        </Button>
        <Button variant="subtle" color="red" onClick={remove}>
          Remove token
        </Button>
      </Group>
    </Stack>
  )
}

function AdoptionSwitch({ isOn }: { readonly isOn: boolean }) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const change = async (adopts_accounts: boolean) => {
    setBusy(true)
    try {
      await call('updateScimSettings', { body: { adopts_accounts } })
      await refresh(client, 'getScimSettings')
    } catch (failure) {
      notifyFailure('The setting was not changed', failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Switch
      label="Take over accounts that have a password"
      description="On: a user whom the provider creates takes over the account with the same e-mail address. Workspace admins with a password are never taken over."
      checked={isOn}
      disabled={isBusy}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  )
}
