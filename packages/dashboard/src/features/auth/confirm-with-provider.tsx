import { Button, Stack } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { BASE_PATH, openPath } from '../../shared/api/base-path.ts'
import { describeSsoFailure } from '../../shared/sso-failure.ts'
import { onConfirmation } from './confirmation-channel.ts'
import { LoginAlert } from './login-alert.tsx'

interface ConfirmWithProviderProps {
  readonly label: string
  readonly onConfirmed: () => void
}

const START = `${BASE_PATH}/api/auth/sso/start?purpose=reauthenticate&return_to=`

/**
 * Confirms with a login at the identity provider that it is still the person who signed in. It opens a window
 * of its own, so that the page and what was typed into it stay.
 */
export function ConfirmWithProvider({ label, onConfirmed }: ConfirmWithProviderProps) {
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(
    () =>
      onConfirmation((result) => {
        if (result.failure === null) onConfirmed()
        else setFailure(describeSsoFailure(result.failure, label))
      }),
    [label, onConfirmed],
  )
  const open = () => {
    setFailure(null)
    const opened = window.open(`${START}/login/confirmed`, '_blank', 'popup,width=520,height=720')
    // A browser that opens no windows goes there and back.
    if (opened === null) location.assign(START + encodeURIComponent(openPath()))
  }
  return (
    <Stack gap="sm">
      {failure !== null && <LoginAlert message={failure} secondsLeft={0} untilMs={0} />}
      <Button
        variant="default"
        leftSection={<IconKey size={17} aria-hidden="true" />}
        onClick={open}
        fullWidth
      >
        Confirm with {label}
      </Button>
    </Stack>
  )
}
