import { Button, Stack } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { describePasskeyFailure } from '../../parts/passkeys/ceremonies.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { LoginAlert } from './login-alert.tsx'
import { toLoginFailure } from './login-failure.ts'

interface PasskeyButtonProps {
  readonly label: string
  readonly isMain?: boolean
  readonly onBusy?: (isBusy: boolean) => void
  /** Requests the passkey and sends what it signed. May reject: the button shows why. */
  readonly use: () => Promise<unknown>
}

/** Requests a passkey. */
export function PasskeyButton({ isMain = false, label, onBusy, use }: PasskeyButtonProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const changeBusy = (now: boolean) => {
    setBusy(now)
    onBusy?.(now)
  }
  const press = async () => {
    setFailure(null)
    changeBusy(true)
    try {
      await use()
    } catch (error) {
      setFailure(describeFailure(error))
    } finally {
      changeBusy(false)
    }
  }
  return (
    <Stack gap="sm">
      {failure !== null && <LoginAlert message={failure} secondsLeft={0} untilMs={0} />}
      <Button
        variant={isMain ? 'filled' : 'default'}
        leftSection={<IconFingerprint size={17} aria-hidden="true" />}
        loading={isBusy}
        onClick={() => void press()}
        fullWidth
      >
        {label}
      </Button>
    </Stack>
  )
}

export const describeFailure = (error: unknown): string | null =>
  error instanceof ApiError ? toLoginFailure(error).message : describePasskeyFailure(error)
