import type { SecondFactors } from '@burgee/contract'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconDeviceMobile, IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { AddAppDialog } from './add-app-dialog.tsx'

interface AppPartProps {
  readonly totp: SecondFactors['totp']
  /** True when the account has no other factor. */
  readonly isLast: boolean
  readonly onAdded: (recovery_codes: readonly string[]) => void
}

/** The authenticator app of one's own account. */
export function AppPart({ isLast, onAdded, totp }: AppPartProps) {
  const [isAdding, setAdding] = useState(false)
  const remove = () =>
    confirm({
      title: 'Remove the authenticator app?',
      children: isLast
        ? 'You sign in with your password alone from then on. Your recovery codes end.'
        : 'Beside the password, you need a passkey to sign in from then on.',
      confirmLabel: 'Remove',
      onConfirm: async () => {
        await call('removeTotp', {})
        notifySuccess({ message: 'The authenticator app is removed.' })
      },
    })
  return (
    <>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <IconDeviceMobile size={20} aria-hidden="true" />
        <Stack gap={4} miw={0}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              Authenticator app
            </Text>
            <Badge size="sm" variant="light" color={totp ? 'teal' : 'gray'} tt="none">
              {totp ? 'On' : 'Off'}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {totp ? (
              <>
                Since <Time at={totp.confirmed_at} />.
              </>
            ) : (
              'Such as 1Password, Google Authenticator or Microsoft Authenticator.'
            )}
          </Text>
        </Stack>
      </Group>
      <Group gap="xs">
        {totp ? (
          <Button variant="default" c="red" onClick={remove} aria-label="Remove the authenticator app">
            Remove
          </Button>
        ) : (
          <Button leftSection={<IconShieldCheck size={17} />} onClick={() => setAdding(true)}>
            Add an authenticator app
          </Button>
        )}
      </Group>
      {isAdding && (
        <AddAppDialog
          onClose={() => setAdding(false)}
          onAdded={(recovery_codes) => {
            setAdding(false)
            onAdded(recovery_codes)
          }}
        />
      )}
    </>
  )
}
