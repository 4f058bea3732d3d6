import { Alert, Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconDeviceMobile, IconShieldCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { endpointQuery, refresh } from '../../../shared/api/queries.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { notifyFailure, notifySuccess } from '../../../shared/ui/notify.tsx'
import { Section } from '../../../shared/ui/section.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { AddAppDialog } from './add-app-dialog.tsx'
import { CodesDialog } from './codes-dialog.tsx'

/** Few codes are left: the person should renew them. */
const FEW_CODES = 3

/** The second factors of one's own account. */
export function TwoStepSection() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(endpointQuery('getSecondFactors', {}))
  const [isAdding, setAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>([])
  const reload = () => refresh(client, 'getSecondFactors', 'getCurrentUser')
  const remove = () =>
    confirm({
      title: 'Remove the authenticator app?',
      children: 'You log in with your password alone from then on. Your recovery codes end.',
      confirmLabel: 'Remove',
      onConfirm: async () => {
        await call('removeTotp', {})
        await reload()
        notifySuccess({ message: 'The authenticator app is removed.' })
      },
    })
  const renew = async () => {
    try {
      const { recovery_codes } = await call('renewRecoveryCodes', {})
      setCodes(recovery_codes)
      await reload()
    } catch (failure) {
      notifyFailure('The recovery codes were not renewed', failure)
    }
  }
  const isOn = data?.totp != null
  return (
    <Section
      title="Two-step verification"
      description="A stolen password does not suffice: the login also asks for a code from your phone."
      isBoxed
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && error === null && <Skeleton height={60} />}
      {data && (
        <Stack>
          {data.reset_at !== null && (
            <Alert
              color="yellow"
              icon={<IconAlertTriangle size={18} />}
              title="An admin removed your second factors"
            >
              This was <Time at={data.reset_at} />. If you did not ask for it, change your password and talk
              to an admin.
            </Alert>
          )}
          {data.due_at !== null && (
            <Alert
              color="yellow"
              icon={<IconAlertTriangle size={18} />}
              title="This workspace requires a second factor"
            >
              {Date.parse(data.due_at) <= Date.now() ? (
                'Add an authenticator app to go on. Until then everything else is closed.'
              ) : (
                <>
                  Add an authenticator app. Without one, your account is closed from <Time at={data.due_at} />{' '}
                  on.
                </>
              )}
            </Alert>
          )}
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <IconDeviceMobile size={20} aria-hidden="true" />
            <Stack gap={4} miw={0}>
              <Group gap="xs">
                <Text size="sm" fw={600}>
                  Authenticator app
                </Text>
                <Badge size="sm" variant="light" color={isOn ? 'teal' : 'gray'} tt="none">
                  {isOn ? 'On' : 'Off'}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed">
                {data.totp ? (
                  <>
                    Since <Time at={data.totp.confirmed_at} />. {data.recovery_codes_left} of 10 recovery
                    codes are left.
                  </>
                ) : (
                  'Such as 1Password, Google Authenticator or Microsoft Authenticator.'
                )}
              </Text>
            </Stack>
          </Group>
          {isOn && data.recovery_codes_left <= FEW_CODES && (
            <Text size="sm" c="var(--mantine-color-error)">
              Few recovery codes are left. Renew them before you need one.
            </Text>
          )}
          <Group gap="xs">
            {!isOn && (
              <Button leftSection={<IconShieldCheck size={17} />} onClick={() => setAdding(true)}>
                Add an authenticator app
              </Button>
            )}
            {isOn && (
              <>
                <Button variant="default" onClick={() => void renew()}>
                  Renew recovery codes
                </Button>
                <Button variant="default" c="red" onClick={remove}>
                  Remove
                </Button>
              </>
            )}
          </Group>
        </Stack>
      )}
      {isAdding && (
        <AddAppDialog
          onClose={() => setAdding(false)}
          onAdded={(recovery_codes) => {
            setAdding(false)
            setCodes(recovery_codes)
            void reload()
          }}
        />
      )}
      {codes.length > 0 && <CodesDialog codes={codes} onClose={() => setCodes([])} />}
    </Section>
  )
}
