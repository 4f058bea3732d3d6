import type { CurrentUser } from '@burgee/contract'
import { signWithPasskey } from '../../parts/passkeys/ceremonies.ts'
import { ApiError, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/call.ts'
import { PasskeyButton } from './passkey-button.tsx'

interface PasskeyStepProps {
  readonly isMain: boolean
  readonly onSignedIn: (user: CurrentUser) => void
  readonly onRestart: (reason: string | null) => void
}

/** The second step of a login with a passkey. */
export function PasskeyStep({ isMain, onRestart, onSignedIn }: PasskeyStepProps) {
  const use = async () => {
    try {
      const options = await call('startPasskeyLogin', { body: { purpose: 'second_factor' } })
      const passkey = await signWithPasskey(options)
      onSignedIn(await call('loginWithSecondFactor', { body: { passkey } }))
    } catch (error) {
      const isOver = error instanceof ApiError && error.body.reason === 'login_step_expired'
      if (!isOver) throw error
      onRestart(messageOf(error))
    }
  }
  return <PasskeyButton label="Use a passkey" isMain={isMain} use={use} />
}
