import type { ScimSettings } from '@burgee/contract'
import { Anchor, Button, Code, Group, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { serverUrl } from '../../../shared/api/base-path.ts'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { notifyFailure, notifySuccess } from '../../../shared/ui/notify.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { describeReceived } from './describe-received.ts'
import { Fact } from './fact.tsx'
import { ScimTokenDialog } from './scim-token-dialog.tsx'

const DOCS = 'https://github.com/burgee/burgee/blob/main/docs/scim.md'

/** SCIM: the identity provider creates, changes and disables accounts, and sends groups. */
export function ScimSection({ settings }: { readonly settings: ScimSettings }) {
  const [isCreating, setCreating] = useState(false)
  const isOn = settings.token_prefix !== null
  return (
    <>
      <Section
        title="Provisioning (SCIM)"
        description={
          <>
            The identity provider creates, changes and disables accounts, and sends groups.{' '}
            <Anchor href={DOCS} target="_blank" rel="noreferrer" size="sm" underline="always">
              How to set it up
            </Anchor>
          </>
        }
        isBoxed={isOn}
      >
        {isOn ? (
          <ScimState settings={settings} onReplace={() => setCreating(true)} />
        ) : (
          <EmptyState
            icon={<IconUsers size={22} />}
            title="Provisioning is off"
            action={
              <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
                Create token
              </Button>
            }
          >
            With a token, the identity provider keeps accounts and groups up to date. A person who leaves is
            signed out at once.
          </EmptyState>
        )}
      </Section>
      {/* The section changes its frame with the first token, and must not take the dialog with it. */}
      <ScimTokenDialog isOpen={isCreating} replaces={isOn} onClose={() => setCreating(false)} />
    </>
  )
}

interface ScimStateProps {
  readonly settings: ScimSettings
  readonly onReplace: () => void
}

function ScimState({ settings, onReplace }: ScimStateProps) {
  const { last_request_at, token_created_at, token_created_by, token_prefix } = settings
  const remove = () =>
    confirm({
      title: 'Remove the token?',
      children: 'The identity provider is refused at once. Accounts, groups and roles stay as they are.',
      confirmLabel: 'Remove token',
      onConfirm: async () => {
        await call('deleteScimToken', {})
        notifySuccess({ message: 'Provisioning is off.' })
      },
    })
  return (
    <Stack gap="md">
      <Fact name="Base URL" value={settings.url ?? `${serverUrl()}/scim/v2`} />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <Labeled name="Token">
          <Code>{token_prefix}</Code> created{' '}
          {token_created_at && <Time at={token_created_at} inherit span />} by {token_created_by}
        </Labeled>
        <Labeled name="Last request">
          {last_request_at === null ? 'None yet' : <Time at={last_request_at} inherit span />}
        </Labeled>
        <Labeled name="Received">{describeReceived(settings)}</Labeled>
      </SimpleGrid>
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

const Labeled = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed">
      {name}
    </Text>
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
)

function AdoptionSwitch({ isOn }: { readonly isOn: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const change = async (adopts_accounts: boolean) => {
    setBusy(true)
    try {
      await call('updateScimSettings', { body: { adopts_accounts } })
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
